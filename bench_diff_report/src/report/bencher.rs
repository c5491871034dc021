//! The metrics of Bencher: the latencies of both functions and the ratio, each with its range.

use std::collections::BTreeMap;

use super::whole_run::WholeRun;
use crate::record::{IntervalRecord, PairRecord, SummaryRecord};
use bench_diff_system::json;
use bench_diff_system::order::map;

/// The document: an object with the pairs that have figures.
pub(super) fn document(run: &WholeRun) -> String {
    let pairs = run.pairs.iter().map(|pair| (pair.name.clone(), measures(pair)));
    json::to_string(&map(pairs.filter(|(_, measures)| !measures.is_empty()))) + "\n"
}

/// Values and the ends of their ranges, by their names.
type Metrics = BTreeMap<String, BTreeMap<String, f64>>;

fn measures(pair: &PairRecord) -> Metrics {
    let latency = |SummaryRecord { median, p5, p95, .. }| metric(median, Some(p5), Some(p95));
    if let Some(timing) = pair.timing() {
        return map([("latency".to_owned(), latency(timing.candidate))]);
    }
    let Some(figures) = pair.figures() else { return Metrics::new() };
    let IntervalRecord { low, high, .. } = figures.interval;
    let metrics = [
        ("baseline-latency", latency(figures.baseline)),
        ("latency", latency(figures.candidate)),
        ("slowdown-ratio", metric(figures.ratio, low, high)),
    ];
    map(metrics.map(|(name, metric)| (name.to_owned(), metric)))
}

/// A value and its range, without unknown ends, since Bencher does not accept null.
fn metric(value: f64, lower: Option<f64>, upper: Option<f64>) -> BTreeMap<String, f64> {
    let fields = [("lower_value", lower), ("upper_value", upper), ("value", Some(value))];
    map(fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))))
}
