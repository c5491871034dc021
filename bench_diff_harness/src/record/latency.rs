//! The measurement of a function without a baseline: the time of a call.

use bench_diff_core::{ClockKind, Duo, Measurement, Recording};

use super::{FunctionAllocations, IntervalRecord, SummaryRecord};

/// A function that was measured by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Timing {
    pub(crate) latency: LatencyRecord,
    /// Each is four slots of the function.
    pub(crate) duos: usize,
    pub(crate) iterations: u64,
    pub(crate) clock: ClockKind,
    pub(crate) elapsed_s: f64,
    /// The bytes of one call, if the attribute gives them.
    pub(crate) bytes: Option<u64>,
    pub(crate) items: Option<u64>,
    pub(crate) candidate: SummaryRecord,
    /// `None` if nothing counted them.
    pub(crate) allocations: Option<AllocationsOfOne>,
    pub(crate) advice: Vec<String>,
}

/// The latency of a typical call, in nanoseconds: the median over the rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, miniserde::Serialize)]
pub(crate) struct LatencyRecord {
    pub(crate) ns: f64,
    pub(crate) interval: IntervalRecord,
    pub(crate) rounds: usize,
    /// In the binary as linked, from one round, if the rounds that count ran in random layouts.
    pub(crate) linked: Option<f64>,
}

/// The allocations of the counted calls of a function.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Serialize)]
pub(crate) struct AllocationsOfOne {
    pub(crate) counted: usize,
    pub(crate) candidate: FunctionAllocations,
}

/// The latency of each slot of a function.
#[expect(clippy::cast_precision_loss, reason = "a slot of 2^53 ns lasts 104 days")]
pub(super) fn latencies(measurement: &Measurement, side: fn(&Duo) -> [u64; 2]) -> Vec<f64> {
    let latencies = measurement.processes().flat_map(|Recording { warmup, duos, .. }| {
        duos.iter().flat_map(side).map(move |slot| slot as f64 / warmup.iterations as f64)
    });
    latencies.collect()
}
