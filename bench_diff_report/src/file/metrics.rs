//! Numbers for other programs: the raw slots as comma-separated values, the metrics of Bencher as JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use bench_diff_core::{Duo, Order, Recording};
use bench_diff_system::json;
use bench_diff_system::order::map;

use crate::record::{IntervalRecord, PairRecord, SummaryRecord};
use crate::sink::WholeRun;

const HEADER: &str =
    "pair,round,program,duo,order,iterations,candidate_1_ns,candidate_2_ns,baseline_1_ns,baseline_2_ns\n";

pub(crate) fn csv(run: &WholeRun) -> String {
    HEADER.to_owned() + &run.drawn.concat()
}

/// The duos that count, by round (from 1) and binary, with the times of their whole slots.
pub(crate) fn csv_rows(_: &WholeRun, record: &PairRecord, rounds: &[Vec<Recording>]) -> String {
    let mut rows = String::new();
    let pair = quoted(&record.name);
    for (round, programs) in (1..).zip(rounds) {
        for (program, Recording { warmup, duos, has_baseline, .. }) in (1..).zip(programs) {
            let iterations = warmup.iterations;
            for (number, Duo { order, candidate: [c1, c2], baseline: [b1, b2] }) in (1..).zip(duos) {
                let mut row = |order: &str, slots: String| {
                    let _ = writeln!(rows, "{pair},{round},{program},{number},{order},{iterations},{slots}");
                };
                match (order, has_baseline) {
                    // Slots of one function.
                    (order, false) if order.is_half() => row("CC", format!("{c1},{b1},,")),
                    (_, false) => {
                        row("CC", format!("{c1},{c2},,"));
                        row("CC", format!("{b1},{b2},,"));
                    }
                    (Order::BaselineFirst, true) => row("BCCB", format!("{c1},{c2},{b1},{b2}")),
                    (Order::CandidateFirst, true) => row("CBBC", format!("{c1},{c2},{b1},{b2}")),
                    (Order::BaselineOnce, true) => row("BC", format!("{c1},,{b1},")),
                    (Order::CandidateOnce, true) => row("CB", format!("{c1},,{b1},")),
                }
            }
        }
    }
    rows
}

/// A field by RFC 4180.
fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace("\"", "\"\"")).into()
    } else {
        field.into()
    }
}

/// The document: an object with the pairs that have figures.
pub(crate) fn bencher(run: &WholeRun) -> String {
    let pairs = run.pairs.iter().map(|pair| (pair.name.clone(), measures(pair)));
    json::to_string(&map(pairs.filter(|(_, measures)| !measures.is_empty()))) + "\n"
}

/// Values and the ends of their ranges, by their names.
type Metrics = BTreeMap<String, BTreeMap<String, f64>>;

fn measures(pair: &PairRecord) -> Metrics {
    let latency = |SummaryRecord { median, p5, p95, .. }| metric(median, Some(p5), Some(p95));
    if let Some(timing) = pair.timing() {
        return map([("latency".to_owned(), latency(timing.slots.candidate))]);
    }
    let Some(figures) = pair.figures() else { return Metrics::new() };
    let IntervalRecord { low, high, .. } = figures.interval;
    let metrics = [
        ("baseline-latency", latency(figures.baseline)),
        ("latency", latency(figures.slots.candidate)),
        ("slowdown-ratio", metric(figures.ratio, low, high)),
    ];
    map(metrics.map(|(name, metric)| (name.to_owned(), metric)))
}

/// A value and its range, without unknown ends, since Bencher does not accept null.
fn metric(value: f64, lower: Option<f64>, upper: Option<f64>) -> BTreeMap<String, f64> {
    let fields = [("lower_value", lower), ("upper_value", upper), ("value", Some(value))];
    map(fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))))
}

#[cfg(test)]
mod tests {
    use bench_diff_core::{Duo, Order, Recording, Warmup};

    use super::*;
    use crate::fixture::recording;
    use crate::record::Event;
    use crate::tests::{a_machine, a_plan, records};

    fn a_round() -> Vec<Recording> {
        let duo =
            |order, first| Duo { order, candidate: [first, first + 1], baseline: [first + 2, first + 3] };
        let plain = recording(vec![duo(Order::BaselineFirst, 100), duo(Order::CandidateFirst, 200)]);
        let warmup = Warmup {
            duos: vec![duo(Order::BaselineFirst, 1)],
            empty: vec![1],
            iterations: 16,
            ..plain.warmup
        };
        vec![Recording { warmup, empty: vec![1], ..plain }]
    }

    fn slots(name: &str) -> String {
        let plan = a_plan();
        let mut record = records(&plan).remove(0);
        record.name = name.to_owned();
        let mut run = WholeRun::drawn_by(csv_rows);
        run.add(&Event::RunStarted(&plan.started(a_machine())));
        run.add(&Event::PairFinished { record: &record, rounds: &[a_round()] });
        run.add(&Event::PairFinished { record: &records(&plan)[3], rounds: &[] });
        csv(&run)
    }

    #[test]
    fn a_duo_is_a_line() {
        assert_eq!(
        slots("sort::unstable"),
        "pair,round,program,duo,order,iterations,candidate_1_ns,candidate_2_ns,baseline_1_ns,baseline_2_ns
sort::unstable,1,1,1,BCCB,16,100,101,102,103
sort::unstable,1,1,2,CBBC,16,200,201,202,203
"
    );
    }

    #[test]
    fn any_name_is_one_field() {
        for name in ["a,b", "\"a\"", "a\"b\",\r\nc", "=a", "a b"] {
            let text = slots(name);
            let mut reader = ::csv::Reader::from_reader(text.as_bytes());
            let rows: Vec<::csv::StringRecord> = reader.records().map(Result::unwrap).collect();
            assert_eq!(rows.len(), 2, "{text}");
            assert!(rows.iter().all(|row| &row[0] == name && row.len() == 10), "{text}");
        }
    }
}
