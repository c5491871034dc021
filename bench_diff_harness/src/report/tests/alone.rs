//! A function without a baseline, in every report.

use super::*;
use crate::fixture::{entry_alone, stored_pairs};
use crate::record::Measured;
use crate::report::bench_lines::BenchLines;
use crate::report::csv;
use crate::report::{bencher, junit, markdown};

/// A run of one function without a baseline.
fn told() -> (StartRecord, PairRecord, Measured) {
    let (start, mut stored) = stored_pairs("--bench --seed 8f3a", &[entry_alone("alone", 1)]);
    let (pair, measured) = stored.remove(0);
    let record = pair.record.with_timing(|timing| timing.items = Some(1_000));
    (start, record, measured.unwrap())
}

fn shown_by(sink: impl FnOnce(&mut Vec<u8>, &mut dyn FnMut(&mut dyn Sink))) -> String {
    let (start, record, measured) = told();
    let end = RunRecord::of(&start, &[record.outcome()], 0.5);
    let mut out = Vec::new();
    sink(&mut out, &mut |sink| {
        sink.event(&Event::RunStarted(&start)).unwrap();
        sink.event(&Event::PairFinished { record: &record, measured: Some(&measured) }).unwrap();
        sink.event(&Event::RunFinished(&end)).unwrap();
    });
    String::from_utf8(out).unwrap()
}

#[test]
fn a_row_has_its_latency_and_no_change() {
    for width in [None, Some(60), Some(80), Some(140)] {
        let table = shown_by(|out, emit| emit(&mut Terminal::pretty(out, width, false)));
        assert!(table.contains("\nalone ") && table.contains(" 20.") && table.contains(" us"), "{table}");
        assert!(!table.contains("against"), "{table}");
        assert!(!table.contains("faster") && !table.contains("slower"), "{table}");
        assert!(table.contains("1 measured, not judged"), "{table}");
    }
    let verbose = shown_by(|out, emit| emit(&mut Terminal::pretty(out, None, true)));
    assert!(verbose.contains(" us a call in 5 rounds, 90 % interval 20."), "{verbose}");
    assert!(verbose.contains("throughput: 49.") && verbose.contains(" p99 20."), "{verbose}");
    let terse = shown_by(|out, emit| emit(&mut Terminal::terse(out, None)));
    assert!(terse.contains(" alone: 20."), "{terse}");
}

#[test]
fn every_file_has_the_latency_and_no_baseline() {
    let lines = shown_by(|out, emit| emit(&mut BenchLines::new(out, &mut Vec::new(), 0)));
    assert!(lines.contains("test alone ... bench:       20"), "{lines}");
    let csv = shown_by(|out, emit| emit(&mut Added::new(out, csv::lines)));
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert!(
        rows.len() >= 2 && rows.iter().all(|row| row.contains(",CC,1,2") && row.ends_with(",,")),
        "{csv}"
    );
    let json = shown_by(|out, emit| emit(&mut Added::new(out, json::lines)));
    assert!(json.contains("\"ratio\":null") && json.contains("\"latency\":{\"ns\":20"), "{json}");

    let (start, record, measured) = told();
    let mut run = RunSoFar::default();
    run.add(&Event::RunStarted(&start));
    run.add(&Event::PairFinished { record: &record, measured: Some(&measured) });
    let bencher = bencher::document(&run);
    assert!(
        bencher.contains("\"latency\"") && !bencher.contains("ratio") && !bencher.contains("baseline"),
        "{bencher}"
    );
    let markdown = markdown::document(&run);
    assert!(markdown.contains("| `alone` |  | 20.") && markdown.contains(" M items/s |"), "{markdown}");
    let junit = junit::document(&run);
    assert!(junit.contains(" us a call in 5 rounds"), "{junit}");
}
