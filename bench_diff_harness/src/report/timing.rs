//! The words of a function without a baseline.

use super::numbers;
use crate::record::json::Word;
use crate::record::{AllocationsOfOne, IntervalRecord, PairRecord, Timing, allocations};
use crate::system::text::counted;

/// The texts of the columns, the verdict aside.
pub(super) fn cells(timing: &Timing) -> [String; 4] {
    let ns = timing.latency.ns;
    let IntervalRecord { level, low, high } = timing.latency.interval;
    let of_latency = |end: Option<f64>| end.map(|end| end / ns);
    let interval = IntervalRecord { level, low: of_latency(low), high: of_latency(high) };
    let is_known = low.is_some() && high.is_some();
    let interval = if is_known { numbers::changes(interval) } else { String::new() };
    [String::new(), numbers::latency(ns), String::new(), interval]
}

/// The latency of a typical call, with its interval and where it is from.
pub(super) fn summary(timing: &Timing) -> String {
    let latency = &timing.latency;
    let IntervalRecord { level, low, high } = latency.interval;
    let [ns, low, high] = [Some(latency.ns), low, high].map(|end| end.map(numbers::latency));
    let interval =
        low.zip(high).map(|(low, high)| format!("{} interval {low} to {high}", numbers::share(level)));
    let unit = if latency.linked.is_some() { "layout" } else { "round" };
    let linked = latency.linked.map(|linked| format!("{} as linked", numbers::latency(linked)));
    let typical = format!("{} a call in {}", ns.unwrap_or_default(), counted(latency.rounds, unit));
    [Some(typical), interval, linked].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The work of a typical call as rates.
pub(super) fn rates(timing: &Timing) -> Option<String> {
    numbers::rates(timing.bytes, timing.items, |rate| rate(timing.latency.ns))
}

/// The allocations of a call; `None` if there are none.
pub(super) fn of_call(timing: &Timing) -> Option<String> {
    let AllocationsOfOne { candidate, .. } = timing.allocations.as_ref()?;
    (candidate.most_calls > 0).then(|| allocations::text(candidate))
}

/// The lines below a row.
pub(super) fn lines(record: &PairRecord) -> Vec<String> {
    let Some(timing) = record.timing() else { return Vec::new() };
    let Timing { duos, clock: Word(clock), candidate, elapsed_s, .. } = timing;
    let [min, p5, p95, p99, max] =
        [candidate.min, candidate.p5, candidate.p95, candidate.p99, candidate.max].map(numbers::latency);
    [
        Some(summary(timing)),
        rates(timing).map(|rates| format!("throughput: {rates}")),
        of_call(timing).map(|text| format!("a call makes {text}")),
        Some(format!(
            "{} slots ({} clock): min {min}, p5 {p5}, p95 {p95}, p99 {p99}, max {max}; measured in {}",
            4 * duos,
            clock.name(),
            numbers::latency(elapsed_s * 1e9)
        )),
    ]
    .into_iter()
    .flatten()
    .collect()
}
