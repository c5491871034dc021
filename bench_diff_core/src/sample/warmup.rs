//! The warm-up: the measurements before the counted ones, and what they show about the functions.

use super::sampler::{BLOCK, Samples};
use crate::clock::ClockKind;
use crate::duo::{Duo, slots_of};
use crate::stats::median_time;

/// The fewest duos of a warm-up, unless they [are long](is_long).
pub(crate) const WARMUP_DUOS: usize = 16;

/// The fewest duos of a warm-up whose duos [are long](is_long).
pub const LONG_WARMUP_DUOS: usize = 2;

/// For duos of at least this many nanoseconds, a warm-up of many duos would take too long.
const LONG_DUO: u64 = 10_000_000;

/// The smallest spread of the logarithm of a slot.
const LEAST_SPREAD: f64 = 1e-5;

/// The measurements before the counted ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warmup {
    /// The duos of the warm-up on the chosen clock. They are not counted, but a verdict depends on them: they
    /// show how much duos scatter, how much of a slot is overhead, and how long a call of the baseline takes.
    pub duos: Vec<Duo>,
    /// The empty slots between them, in nanoseconds. Each has as many calls, of an empty function.
    pub empty: Vec<u64>,
    /// The calls in every slot, the same for both functions.
    pub iterations: u64,
    /// The clock that timed these duos and the counted ones.
    pub clock: ClockKind,
    /// The smallest step of that clock, in nanoseconds.
    pub resolution: u64,
}

impl Warmup {
    pub(crate) fn new(samples: Samples, iterations: u64, clock: ClockKind, resolution: u64) -> Self {
        Self { duos: samples.duos, empty: samples.empty, iterations, clock, resolution }
    }

    /// The time of the median duo of the warm-up, in nanoseconds; 0 without duos.
    pub(crate) fn typical_duo(&self) -> u64 {
        median_time(self.duos.iter().map(Duo::total).collect())
    }

    /// One step of the clock as a share of a slot: the smallest visible spread.
    pub(crate) fn relative_resolution(&self) -> f64 {
        self.relative_resolution_of(&self.duos)
    }

    /// One step of the clock as a share of a slot of these duos.
    pub(crate) fn relative_resolution_of(&self, duos: &[Duo]) -> f64 {
        relative_resolution(self.resolution, typical_slot(duos))
    }

    /// Returns whether a duo lasts so long that the judge looks at the data after each.
    pub(crate) fn has_long_duos(&self) -> bool {
        is_long(self.typical_duo())
    }

    /// The duos in a block of counted duos. If there are empty slots, one follows the last of them.
    pub(crate) fn block(&self) -> usize {
        if self.has_long_duos() { 1 } else { BLOCK }
    }
}

/// One step of a clock of this resolution as a share of a slot of this length, both in nanoseconds. It is at
/// least 1e-5, so that constant latencies are ordinary data.
#[must_use]
pub fn relative_resolution(resolution: u64, slot: u64) -> f64 {
    (resolution as f64 / slot.max(1) as f64).max(LEAST_SPREAD)
}

/// The median slot of the faster function, which the clock resolves less well.
pub(crate) fn typical_slot(duos: &[Duo]) -> u64 {
    typical_slots(duos)[0]
}

/// The median slots of the faster function and of the slower one.
pub(crate) fn typical_slots(duos: &[Duo]) -> [u64; 2] {
    let candidate = median_time(slots_of(duos, |duo| duo.candidate));
    let baseline = median_time(slots_of(duos, |duo| duo.baseline));
    [candidate.min(baseline), candidate.max(baseline)]
}

/// The time of the shortest of these duos, in nanoseconds; 0 without duos.
pub(crate) fn shortest_duo(duos: &[Duo]) -> u64 {
    duos.iter().map(Duo::total).min().unwrap_or(0)
}

/// The fewest duos of a warm-up whose shortest duo took this many nanoseconds: 16, or 2 if they [are
/// long](is_long).
#[must_use]
pub fn fewest_warmup_duos(shortest: u64) -> usize {
    if is_long(shortest) { LONG_WARMUP_DUOS } else { WARMUP_DUOS }
}

/// Returns whether a duo of this many nanoseconds is a block by itself: from 10 ms on.
#[must_use]
pub fn is_long(duo: u64) -> bool {
    duo >= LONG_DUO
}
