//! The raw slots.

use bench_diff_core::{Duo, Order, Recording, Warmup};

use super::*;
use crate::fixture::recording;
use crate::report::csv;

fn a_round() -> Vec<Recording> {
    let duo = |order, first| Duo { order, candidate: [first, first + 1], baseline: [first + 2, first + 3] };
    let plain = recording(vec![duo(Order::BaselineFirst, 100), duo(Order::CandidateFirst, 200)]);
    let warmup =
        Warmup { duos: vec![duo(Order::BaselineFirst, 1)], empty: vec![1], iterations: 16, ..plain.warmup };
    vec![Recording { warmup, empty: vec![1], ..plain }]
}

fn slots(name: &str) -> String {
    let plan = a_plan();
    let mut record = records(&plan).remove(0);
    record.name = name.to_owned();
    let mut run = WholeRun::drawn_by(csv::rows);
    run.add(&Event::RunStarted(&plan.started(a_machine())));
    run.add(&Event::PairFinished { record: &record, rounds: &[a_round()] });
    run.add(&Event::PairFinished { record: &records(&plan)[3], rounds: &[] });
    csv::document(&run)
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
