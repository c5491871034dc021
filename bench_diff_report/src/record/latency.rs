//! The measurement of a function without a baseline: the time of a call.

use bench_diff_core::{ClockKind, Duo, Measurement, Recording};

use super::{FunctionAllocations, IntervalRecord, SummaryRecord};

/// A function that was measured by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timing {
    /// The time of a typical call.
    pub latency: LatencyRecord,
    /// Each is four slots of the function.
    pub duos: usize,
    /// The calls of a slot.
    pub iterations: u64,
    /// The clock of the slots.
    pub clock: ClockKind,
    /// The time that measuring took, in seconds.
    pub elapsed_s: f64,
    /// The bytes of one call, if the attribute gives them.
    pub bytes: Option<u64>,
    /// The items of one call, if the attribute gives them.
    pub items: Option<u64>,
    /// The latencies of all slots.
    pub candidate: SummaryRecord,
    /// `None` if nothing counted them.
    pub allocations: Option<AllocationsOfOne>,
    /// Notes that ask a reader to change something.
    pub advice: Vec<String>,
}

/// The latency of a typical call, in nanoseconds: the median over the rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, miniserde::Serialize)]
pub struct LatencyRecord {
    pub ns: f64,
    pub interval: IntervalRecord,
    pub rounds: usize,
    /// In the binary as linked, from one round, if the rounds that count ran in random layouts.
    pub linked: Option<f64>,
}

/// The allocations of the counted calls of a function.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Serialize)]
pub struct AllocationsOfOne {
    /// The calls that were counted.
    pub counted: usize,
    /// The allocations of the function.
    pub candidate: FunctionAllocations,
}

/// The latency of each slot of a function.
#[expect(clippy::cast_precision_loss, reason = "a slot of 2^53 ns lasts 104 days")]
pub(super) fn latencies(measurement: &Measurement, side: fn(&Duo) -> [u64; 2]) -> Vec<f64> {
    let latencies = measurement.processes().flat_map(|Recording { warmup, duos, .. }| {
        duos.iter().flat_map(side).map(move |slot| slot as f64 / warmup.iterations as f64)
    });
    latencies.collect()
}
