//! The texts about a function without a baseline.

use super::numbers;
use crate::record::{AllocationsOfOne, IntervalRecord, PairRecord, Timing, allocations};
use bench_diff_system::text::counted;

/// The texts of the columns, except the verdict.
pub(super) fn cells(timing: &Timing) -> [String; 4] {
    let ns = timing.latency.ns;
    let IntervalRecord { level, low, high } = timing.latency.interval;
    let interval = low.zip(high).map(|(low, high)| {
        numbers::changes(IntervalRecord { level, low: Some(low / ns), high: Some(high / ns) })
    });
    [String::new(), numbers::latency(ns), String::new(), interval.unwrap_or_default()]
}

/// The latency of a typical call, with its interval and its source.
pub(super) fn summary(timing: &Timing) -> String {
    let latency = &timing.latency;
    let IntervalRecord { level, low, high } = latency.interval;
    let rounds = counted(latency.rounds, "round");
    let mut summary = format!("{} per call in {rounds}", numbers::latency(latency.ns));
    if let (Some(low), Some(high)) = (low, high) {
        let [low, high] = [low, high].map(numbers::latency);
        summary += &format!(", {} interval {low} to {high}", numbers::share(level));
    }
    if let Some(linked) = latency.linked {
        summary += &format!(", {} as linked", numbers::latency(linked));
    }
    summary
}

/// The lines below a row.
pub(super) fn lines(record: &PairRecord) -> Vec<String> {
    let Some(timing) = record.timing() else { return Vec::new() };
    let Timing { duos, clock, candidate, allocations, elapsed_s, .. } = timing;
    let mut lines = vec![summary(timing)];
    if let Some(AllocationsOfOne { candidate, .. }) = allocations
        && candidate.most_calls > 0
    {
        lines.push(format!("per call: {}", allocations::text(candidate)));
    }
    let [min, p5, p95, p99, max] =
        [candidate.min, candidate.p5, candidate.p95, candidate.p99, candidate.max].map(numbers::latency);
    lines.push(format!(
        "{} slots ({} clock): min {min}, p5 {p5}, p95 {p95}, p99 {p99}, max {max}; measured in {}",
        4 * duos,
        clock.name(),
        numbers::latency(elapsed_s * 1e9)
    ));
    lines
}
