//! What takes part in a round, given the time that is left for the run.

use std::time::Duration;

use super::RoundPair;
use super::open::OpenPair;

/// The pairs of the next round: all that are open, or as many of them as can probably be decided in the time
/// that is left, the fastest first. The others wait, and what no longer has time for a round waits for good.
pub(super) fn next_round<'p>(open: &[OpenPair<'p>], left: Option<Duration>) -> Vec<RoundPair<'p>> {
    let Some(left) = left else { return open.iter().map(OpenPair::for_next_round).collect() };
    let fits = |pair: &&OpenPair<'_>| !left.is_zero() && pair.time_of_next() <= left;
    let mut pairs: Vec<&OpenPair<'_>> = open.iter().filter(fits).collect();
    pairs.sort_by_key(|pair| pair.time_to_decide());
    let mut together = Duration::ZERO;
    let can_be_decided = |pair: &&&OpenPair<'_>| {
        together = together.saturating_add(pair.time_to_decide());
        together <= left
    };
    let decided = pairs.iter().take_while(can_be_decided).count();
    pairs.truncate(decided.max(1));
    // Processes find pairs faster in the order of the source. The only round of a proven pair is short.
    pairs.sort_by_key(|pair| (!pair.pair.is_proven(), pair.index));
    pairs.into_iter().map(OpenPair::for_next_round).collect()
}

/// The time until all of these are decided, or the budget is spent, if their rounds go on like those so far.
pub(super) fn left(open: &[OpenPair<'_>], budget: Option<Duration>) -> Duration {
    let to_decide = open.iter().map(OpenPair::time_to_decide).fold(Duration::ZERO, Duration::saturating_add);
    budget.map_or(to_decide, |left| left.min(to_decide))
}
