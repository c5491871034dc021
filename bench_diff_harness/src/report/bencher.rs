//! The metrics of Bencher: the latencies of both functions and the ratio, each with its range.

use serde_json::{Map, Value, json};

use super::told::Told;
use crate::record::{IntervalRecord, PairRecord, SummaryRecord};

/// The document: an object of the pairs that have figures.
pub(super) fn document(told: &Told) -> String {
    let pairs = told.pairs.iter().filter_map(|pair| {
        let name = told.start.shown(pair).name.clone();
        Some((name, Value::Object(measures(pair)?)))
    });
    let mut text = format!("{:#}", Value::Object(pairs.collect()));
    text.push('\n');
    text
}

fn measures(pair: &PairRecord) -> Option<Map<String, Value>> {
    let latency = |side: SummaryRecord| metric(side.median, Some(side.p5), Some(side.p95));
    let ratio = |ratio| {
        let (low, high) = pair.interval.map_or((None, None), |IntervalRecord { low, high, .. }| (low, high));
        metric(ratio, low, high)
    };
    let measures = [
        ("latency", pair.candidate.map(latency)),
        ("baseline-latency", pair.baseline.map(latency)),
        ("slowdown-ratio", pair.ratio.map(ratio)),
    ];
    let known: Map<String, Value> =
        measures.into_iter().filter_map(|(name, metric)| Some((name.to_owned(), metric?))).collect();
    (!known.is_empty()).then_some(known)
}

/// What is not known is left out: Bencher takes no null.
fn metric(value: f64, lower: Option<f64>, upper: Option<f64>) -> Value {
    let mut metric = Map::from_iter([("value".to_owned(), json!(value))]);
    metric.extend(lower.map(|lower| ("lower_value".to_owned(), json!(lower))));
    metric.extend(upper.map(|upper| ("upper_value".to_owned(), json!(upper))));
    Value::Object(metric)
}
