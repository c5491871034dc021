//! The overhead of a slot: reading the clock and calling, which are no work of the function.
//!
//! A slot of both functions holds the same overhead. It cancels in the difference of the two and not in their
//! ratio, which it pulls towards 1. So the verdict is taken on raw slots, against bounds that are moved as
//! far as the overhead may hide, and the ratio of the functions themselves is for the report.

mod call;
mod net;
#[cfg(test)]
mod tests;
mod zone;

pub(crate) use call::{Call, Calls};
use net::MeanTimes;
pub use net::Net;
pub(crate) use zone::net_slowdown;

use crate::sample::Recording;

/// A smaller share makes no difference that a reader would look for.
const WORTH_TELLING: f64 = 0.01;

/// From this share on a function does nothing, so that nothing is left to compare.
const EMPTY_SHARE: f64 = 1.0 / AS_LONG_AS_NOTHING;

/// A function does nothing where it takes at most this many times as long as one that does nothing.
pub(crate) const AS_LONG_AS_NOTHING: f64 = 1.05;

/// The overhead of a measurement, and the ratio without it.
///
/// The time of an empty slot is an upper bound of the overhead rather than the overhead itself: a processor
/// may do a part of a call while it still works on the one before, if that works on anything. So the truth
/// lies between the raw ratio and the net one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overhead {
    /// The share of a slot of the faster function, from 0 to 1: by all slots where empty ones were counted,
    /// else by those of the warm-up.
    pub share: f64,
    /// The upper bound of the share in slots of the faster function by the warm-up alone: no bound of a
    /// verdict is moved by more. At 97.5 %, nominally: where the shares are normal up to 3.5 % of the bounds
    /// are too low, where they are skewed more.
    pub share_max: f64,
    /// The ratio without the overhead, where that is at least 1 %, is not all, and empty slots were counted.
    pub net: Option<Net>,
}

impl Overhead {
    /// The overhead of a measurement, live or stored; none where the warm-up of its first round has no empty
    /// slots.
    #[must_use]
    pub fn of(rounds: &[Vec<Recording>]) -> Option<Self> {
        let rounds: Vec<&Recording> = rounds.iter().flatten().collect();
        let Calls { candidate, baseline } = Calls::of(&rounds.first()?.warmup)?;
        let times = if rounds.iter().all(|round| round.empty.is_empty()) {
            None
        } else {
            let shares: Vec<f64> = rounds.iter().copied().flat_map(shares).collect();
            MeanTimes::of(&rounds, &shares).ok()
        };
        let share = times.as_ref().map_or(candidate.share.max(baseline.share), MeanTimes::share);
        Some(Self {
            share,
            share_max: candidate.share_max.max(baseline.share_max),
            net: times
                .filter(|_| (WORTH_TELLING..EMPTY_SHARE).contains(&share))
                .and_then(|times| times.net()),
        })
    }
}

/// The shares of overhead in slots of the baseline, by all empty slots of a round.
fn shares(Recording { warmup, duos, empty, .. }: &Recording) -> Vec<f64> {
    let last_of_block = |block: usize| duos[..duos.len().min(block * warmup.block())].last();
    let counted = (1..).map_while(last_of_block).zip(empty);
    let all = warmup.duos.iter().zip(&warmup.empty).chain(counted);
    all.map(|(duo, empty)| share(*empty, duo.baseline, warmup.resolution)).collect()
}

/// The share of overhead in the two slots of one function, by the empty slot after their duo: neighbours in
/// time, so that what the machine does to all of them cancels. No slot is taken to be shorter than a step of
/// the clock.
fn share(empty: u64, slots: [u64; 2], resolution: u64) -> f64 {
    nanoseconds(empty) / mean(slots).max(nanoseconds(resolution))
}

fn mean(slots: [u64; 2]) -> f64 {
    let [first, second] = slots.map(nanoseconds);
    first.midpoint(second)
}

fn nanoseconds(time: u64) -> f64 {
    time as f64
}
