//! The warm-up: what is measured before anything counts, and what it tells of the functions.

use super::sampler::{BLOCK, Samples};
use crate::clock::ClockKind;
use crate::duo::{Duo, slots_of};
use crate::stats::median_time;

/// The fewest duos of a warm-up, unless they [are long](is_long).
pub(crate) const WARMUP_DUOS: usize = 16;

/// The fewest duos of a warm-up whose duos [are long](is_long).
pub const LONG_WARMUP_DUOS: usize = 2;

/// A duo from which on a warm-up of many duos is a waste, in nanoseconds.
const LONG_DUO: u64 = 10_000_000;

/// The least spread of the logarithm of a slot.
const LEAST_SPREAD: f64 = 1e-5;

/// Measurements from before anything counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warmup {
    /// The duos of the warm-up on the clock that was chosen, which no verdict uses.
    pub duos: Vec<Duo>,
    /// The empty slots among them, in nanoseconds: slots of as many calls of nothing.
    pub empty: Vec<u64>,
    /// The calls in every slot, of both functions alike.
    pub iterations: u64,
    /// The clock that timed these duos and those that count.
    pub clock: ClockKind,
    /// The smallest step of that clock, in nanoseconds.
    pub resolution: u64,
}

impl Warmup {
    pub(crate) fn new(samples: Samples, iterations: u64, clock: ClockKind, resolution: u64) -> Self {
        Self { duos: samples.duos, empty: samples.empty, iterations, clock, resolution }
    }

    /// The median slot of the faster function, in nanoseconds; 0 where there was none.
    #[must_use]
    pub fn typical_slot(&self) -> u64 {
        typical_slot(&self.duos)
    }

    /// The time of the median duo of the warm-up, in nanoseconds; 0 where there was none.
    #[must_use]
    pub fn typical_duo(&self) -> u64 {
        median_time(self.duos.iter().map(Duo::total).collect())
    }

    /// One step of the clock as a share of a slot: no spread below it can be seen.
    pub(crate) fn relative_resolution(&self) -> f64 {
        relative_resolution(self.resolution, self.typical_slot())
    }

    /// One step of the clock as a share of a slot of these duos.
    pub(crate) fn relative_resolution_of(&self, duos: &[Duo]) -> f64 {
        relative_resolution(self.resolution, typical_slot(duos))
    }

    /// Returns whether a duo lasts so long that each is judged by itself.
    pub(crate) fn has_long_duos(&self) -> bool {
        is_long(self.typical_duo())
    }

    /// The duos of a block of what counts: the last of them is followed by an empty slot, where there are
    /// any.
    pub(crate) fn block(&self) -> usize {
        if self.has_long_duos() { 1 } else { BLOCK }
    }
}

/// One step of a clock of this resolution as a share of a slot of this length, both in nanoseconds; at least
/// 1e-5, so that constant latencies are ordinary data.
#[must_use]
pub fn relative_resolution(resolution: u64, slot: u64) -> f64 {
    (resolution as f64 / slot.max(1) as f64).max(LEAST_SPREAD)
}

/// The median slot of the faster function, which is the one that a clock resolves worse.
pub(crate) fn typical_slot(duos: &[Duo]) -> u64 {
    let [shorter, _] = typical_slots(duos);
    shorter
}

/// The median slots of the faster function and of the slower one.
pub(crate) fn typical_slots(duos: &[Duo]) -> [u64; 2] {
    let mut slots =
        [median_time(slots_of(duos, |duo| duo.candidate)), median_time(slots_of(duos, |duo| duo.baseline))];
    slots.sort_unstable();
    slots
}

/// The time of the shortest of these duos, in nanoseconds; 0 where there are none.
pub(crate) fn shortest_duo(duos: &[Duo]) -> u64 {
    duos.iter().map(Duo::total).min().unwrap_or(0)
}

/// The fewest duos of a warm-up whose shortest duo took this many nanoseconds: 16, or 2 where they [are
/// long](is_long).
#[must_use]
pub fn fewest_warmup_duos(shortest: u64) -> usize {
    if is_long(shortest) { LONG_WARMUP_DUOS } else { WARMUP_DUOS }
}

/// Returns whether a duo of this many nanoseconds is judged by itself: from 10 ms on.
#[must_use]
pub fn is_long(duo: u64) -> bool {
    duo >= LONG_DUO
}
