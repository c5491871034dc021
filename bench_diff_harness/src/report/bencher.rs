//! The metrics of Bencher: the latencies of both functions and the ratio, each with its range.

use super::run_so_far::RunSoFar;
use crate::record::{IntervalRecord, PairRecord, SummaryRecord, json};

/// The document: an object of the pairs that have figures. Of a pair that is told twice the last one counts.
pub(super) fn document(so_far: &RunSoFar) -> String {
    let mut pairs = Vec::new();
    for pair in so_far.pairs.iter().rev() {
        let measures = measures(pair);
        if !measures.is_empty() {
            pairs.push((so_far.start.shown(pair).name.clone(), object(&measures)));
        }
    }
    pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
    pairs.dedup_by(|(later, _), (one, _)| later == one);
    object(&pairs) + "\n"
}

fn measures(pair: &PairRecord) -> Vec<(&'static str, String)> {
    let latency = |SummaryRecord { median, p5, p95, .. }| metric(median, Some(p5), Some(p95));
    if let Some(timing) = pair.timing() {
        return vec![("latency", latency(timing.candidate))];
    }
    let Some(figures) = pair.figures() else { return Vec::new() };
    let IntervalRecord { low, high, .. } = figures.interval;
    vec![
        ("baseline-latency", latency(figures.baseline)),
        ("latency", latency(figures.candidate)),
        ("slowdown-ratio", metric(figures.ratio, low, high)),
    ]
}

/// A value and its range, without what is not known: Bencher takes no null.
fn metric(value: f64, lower: Option<f64>, upper: Option<f64>) -> String {
    let mut fields = Vec::new();
    for (name, value) in [("lower_value", lower), ("upper_value", upper), ("value", Some(value))] {
        fields.extend(value.map(|value| (name, json::to_string(&value))));
    }
    object(&fields)
}

/// Fields with their values as JSON.
fn object(fields: &[(impl AsRef<str>, String)]) -> String {
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}:{value}", json::to_string(name.as_ref()))).collect();
    format!("{{{}}}", fields.join(","))
}
