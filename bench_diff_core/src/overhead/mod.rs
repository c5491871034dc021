//! The overhead of a slot: reading the clock and calling, which are no work of the function.
//!
//! A slot of both functions holds the same overhead. It cancels in the difference of the two and not in their
//! ratio, which it pulls towards 1. So the verdict is taken on raw slots, against bounds that are moved as
//! far as the overhead may hide, and the ratio of the functions themselves is for the report.

mod call;
#[cfg(test)]
mod tests;
mod zone;

pub(crate) use call::{Call, Calls};
pub(crate) use zone::net_slowdown;

use crate::duo::Duo;
use crate::sample::Recording;
use crate::stats::Interval;
use crate::stats::robust::median_of;

/// A smaller share makes no difference that a reader would look for.
const WORTH_TELLING: f64 = 0.01;

/// From this share on a function does nothing, so that nothing is left to compare.
const EMPTY_SHARE: f64 = 1.0 / AS_LONG_AS_NOTHING;

/// A function does nothing where it takes at most this many times as long as one that does nothing.
pub(crate) const AS_LONG_AS_NOTHING: f64 = 1.05;

/// The overhead of a measurement.
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
    /// The share of a slot of the baseline, and its upper bound by the warm-up.
    of_baseline: [f64; 2],
}

/// The ratio of the functions without the overhead.
///
/// For the report only: no verdict rests on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Net {
    /// Candidate over baseline, each without an empty slot: above 1 is slower.
    pub ratio: f64,
    /// Bounds on the true ratio, as the overhead may be anything from nothing to its upper bound: the
    /// interval of the raw ratio, the one without the overhead, and what is between them. Where nothing
    /// bounds it, it reaches down to 0 or up to infinity.
    pub interval: Interval,
}

impl Overhead {
    /// The overhead of a measurement, live or stored; none where the warm-up of its first round has no empty
    /// slots.
    #[must_use]
    pub fn of(rounds: &[Vec<Recording>]) -> Option<Self> {
        let processes = || rounds.iter().flatten();
        let Calls { candidate, baseline } = Calls::of(&processes().next()?.warmup)?;
        let [of_candidate, of_baseline] = [|duo: &Duo| duo.candidate, |duo: &Duo| duo.baseline].map(|side| {
            let shares: Vec<f64> = processes().flat_map(|process| shares(process, side)).collect();
            median_of(&shares).clamp(0.0, 1.0)
        });
        Some(Self {
            share: of_candidate.max(of_baseline),
            share_max: candidate.share_max.max(baseline.share_max),
            of_baseline: [of_baseline, baseline.share_max],
        })
    }

    /// This ratio and its interval without the overhead, where that is at least 1 % and not all.
    #[must_use]
    pub fn net(&self, ratio: f64, interval: Interval) -> Option<Net> {
        let [share, share_max] = self.of_baseline;
        let without = |ratio: f64, share: f64| (ratio - share) / (1.0 - share);
        let is_told = (WORTH_TELLING..EMPTY_SHARE).contains(&self.share) && ratio > share && share_max < 1.0;
        is_told.then(|| Net {
            ratio: without(ratio, share),
            interval: Interval {
                // No function takes less than no time.
                low: without(interval.low, share_max).min(interval.low).max(0.0),
                high: without(interval.high, share_max).max(interval.high),
                ..interval
            },
        })
    }
}

/// The shares of overhead in slots of one function, by all empty slots of a round.
fn shares(
    Recording { warmup, duos, empty, .. }: &Recording,
    side: fn(&Duo) -> [u64; 2],
) -> impl Iterator<Item = f64> {
    let last_of_block = |block: usize| duos[..duos.len().min(block * warmup.block())].last();
    let counted = (1..).map_while(last_of_block).zip(empty);
    let all = warmup.duos.iter().zip(&warmup.empty).chain(counted);
    all.map(move |(duo, empty)| share(*empty, side(duo), warmup.resolution))
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
