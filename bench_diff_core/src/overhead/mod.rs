//! The overhead of a slot: reading the clock and calling, which are not work of the function.
//!
//! The slots of both functions hold the same overhead. It cancels in the difference of the two, but it pulls
//! their ratio towards 1. So the verdict uses raw slots, with bounds that are moved by as much as the
//! overhead may hide. The ratio of the functions themselves is only for the report.

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

/// A smaller share makes no difference that matters to a reader.
const SMALLEST_SHOWN: f64 = 0.01;

/// A function with at least this share is empty, so there is nothing to compare.
const EMPTY_SHARE: f64 = 1.0 / EMPTY_FACTOR;

/// A function counts as empty if it takes at most this many times as long as an empty one.
pub(crate) const EMPTY_FACTOR: f64 = 1.05;

/// The overhead of a measurement.
///
/// The time of an empty slot is an upper bound of the overhead rather than the overhead itself: if a function
/// does real work, the processor may overlap a part of a call with the call before. So the truth lies between
/// the raw ratio and the net ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overhead {
    /// The share of a slot of the faster function, from 0 to 1: by all slots if there are counted empty ones,
    /// else by those of the warm-up.
    pub share: f64,
    /// The upper bound of the share in slots of the faster function, by the warm-up alone. No bound of a
    /// verdict is moved by more. It is nominally at 97.5 %: up to 3.5 % of the bounds are too low if the
    /// shares are normally distributed, more if they are skewed.
    pub share_max: f64,
    /// The share of a slot of the baseline, and its upper bound by the warm-up.
    of_baseline: [f64; 2],
}

/// The ratio of the functions without the overhead.
///
/// It is only for the report and affects no verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Net {
    /// Candidate over baseline after subtracting an empty slot from each; above 1 is slower.
    pub ratio: f64,
    /// Bounds on the true ratio, if the overhead is anything between zero and its upper bound: the interval
    /// of the raw ratio, the interval without the overhead, and everything between them. An end without a
    /// bound is 0 or infinity.
    pub interval: Interval,
}

impl Overhead {
    /// The overhead of a measurement, live or stored; `None` if the warm-up of its first process has too few
    /// empty slots.
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

    /// This raw ratio and its interval without the overhead: (ratio - q) / (1 - q), where q is the share of
    /// overhead in the baseline's slots. `None` unless [`share`](Self::share) is from 1 % to 95 %, the ratio
    /// is above q, and the upper bound of q is below 1.
    #[must_use]
    pub fn net(&self, ratio: f64, interval: Interval) -> Option<Net> {
        let [share, share_max] = self.of_baseline;
        let without = |ratio: f64, share: f64| (ratio - share) / (1.0 - share);
        let is_useful =
            (SMALLEST_SHOWN..EMPTY_SHARE).contains(&self.share) && ratio > share && share_max < 1.0;
        is_useful.then(|| Net {
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

/// The share of overhead in the two slots of one function, by the empty slot after their duo. They are
/// neighbours in time, so changes in the speed of the machine cancel. A slot counts as at least one step of
/// the clock.
fn share(empty: u64, [first, second]: [u64; 2], resolution: u64) -> f64 {
    empty as f64 / (first as f64).midpoint(second as f64).max(resolution as f64)
}
