//! What a reader needs to know of a pair that did not pass.

use super::{numbers, phrase};
use crate::record::{Outcome, PairRecord};

/// Where the pair stands, and the lines below that: what was measured and what was allowed.
pub(super) fn explanation(record: &PairRecord, strict: bool) -> (String, Vec<String>) {
    let reason = record.reason.as_deref().unwrap_or_default();
    let mut lines = Vec::new();
    for line in reason.lines() {
        lines.push(line.to_owned());
    }
    lines.extend(measured(record));
    if let (Some(gate), Outcome::Fail | Outcome::Inconclusive) = (&record.gate, record.outcome) {
        lines.push(format!("allowed:  {}", phrase::allowance(gate)));
    }
    if record.outcome == Outcome::Inconclusive {
        let effect =
            if strict { "which is a failure with --strict" } else { "which fails only with --strict" };
        let power = record.gate.as_ref().zip(record.mde);
        let power =
            power.map(|(gate, mde)| format!("; so many duos {} in 95 % of runs", phrase::power(gate, mde)));
        lines.push(format!("neither a pass nor a failure is proven, {effect}{}", power.unwrap_or_default()));
    }
    (format!("{}:{}", record.file, record.line), lines)
}

fn measured(record: &PairRecord) -> Option<String> {
    let (ratio, interval) = record.ratio.zip(record.interval)?;
    let latencies = record.candidate.zip(record.baseline).map(|(candidate, baseline)| {
        let (candidate, baseline) = (numbers::latency(candidate.median), numbers::latency(baseline.median));
        format!("; median {candidate} against {baseline}")
    });
    Some(format!(
        "measured: {}, ratio {} {}{}",
        phrase::difference(ratio),
        numbers::ratio(ratio),
        numbers::interval(interval.low, interval.high),
        latencies.unwrap_or_default(),
    ))
}
