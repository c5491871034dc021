//! The metrics of Bencher: the latencies of both functions and the ratio, each with its range.

use std::collections::HashMap;

use super::run_so_far::RunSoFar;
use crate::record::{IntervalRecord, PairRecord, SummaryRecord, json};

/// The fields of an object in the order of their names, with their values as JSON.
type Fields = Vec<(String, String)>;

/// The document: an object of the pairs that have figures.
pub(super) fn document(so_far: &RunSoFar) -> String {
    let names: Vec<String> = so_far.pairs.iter().map(|pair| so_far.start.shown(pair).name.clone()).collect();
    // Of a pair that is told twice the last one counts.
    let last: HashMap<&str, usize> = (0..).zip(&names).map(|(place, name)| (name.as_str(), place)).collect();
    let mut fields = Fields::new();
    for ((place, name), pair) in (0..).zip(&names).zip(&so_far.pairs) {
        let measures = measures(pair);
        if !measures.is_empty() && last[name.as_str()] == place {
            fields.push((name.clone(), object(&measures, 1)));
        }
    }
    object(&fields, 0) + "\n"
}

fn measures(pair: &PairRecord) -> Fields {
    let latency = |SummaryRecord { median, p5, p95, .. }| metric(median, Some(p5), Some(p95));
    if let Some(timing) = pair.timing() {
        return vec![("latency".to_owned(), latency(timing.candidate))];
    }
    let Some(figures) = pair.figures() else { return Fields::new() };
    let IntervalRecord { low, high, .. } = figures.interval;
    vec![
        ("baseline-latency".to_owned(), latency(figures.baseline)),
        ("latency".to_owned(), latency(figures.candidate)),
        ("slowdown-ratio".to_owned(), metric(figures.ratio, low, high)),
    ]
}

/// A metric without its unknown fields: Bencher takes no null.
fn metric(value: f64, lower: Option<f64>, upper: Option<f64>) -> String {
    let fields = [("lower_value", lower), ("upper_value", upper), ("value", Some(value))].into_iter();
    let fields: Fields =
        fields.filter_map(|(name, value)| Some((name.to_owned(), json::to_string(&value?)))).collect();
    object(&fields, 2)
}

/// An object with each field on a line of its own, within as many others.
fn object(fields: &[(String, String)], depth: usize) -> String {
    if fields.is_empty() {
        return "{}".to_owned();
    }
    let indent = "  ".repeat(depth);
    let field = |(name, value): &(String, String)| format!("\n{indent}  {}: {value}", json::to_string(name));
    let fields: Vec<String> = fields.iter().map(field).collect();
    format!("{{{}\n{indent}}}", fields.join(","))
}
