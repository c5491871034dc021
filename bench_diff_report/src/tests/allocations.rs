//! A pair whose time is fine and which allocates too much, in every report.

use super::*;
use crate::file::junit;
use crate::html;
use crate::record::{AllocationsRecord, FunctionAllocations};

/// A run of one pair that passes by its time, with this many allocations of the candidate beside ten.
fn run(max: Option<f64>, calls: u64, most_calls: u64) -> Vec<(StartRecord, PairRecord)> {
    let plan = planned("", &[entry("find", 10)]);
    let of = |calls, most_calls| FunctionAllocations {
        calls,
        bytes: 100 * calls,
        most_calls,
        most_bytes: 100 * most_calls,
        peak: 2_048,
    };
    let allocations =
        AllocationsRecord { max, counted: 8, candidate: of(calls, most_calls), baseline: of(10, 10) };
    let record = measured(&plan, 0, Outcome::Pass, 0.9, 1.0).with_allocations(Some(allocations));
    vec![(plan.started(Machine::default()), record)]
}

fn emitted(run: &[(StartRecord, PairRecord)], sink: &mut dyn Sink) -> io::Result<()> {
    let (start, record) = &run[0];
    emit(start, std::slice::from_ref(record), sink)
}

fn so_far(run: &[(StartRecord, PairRecord)]) -> WholeRun {
    let mut whole = WholeRun::default();
    emitted(run, &mut whole).unwrap();
    whole
}

fn table(run: &[(StartRecord, PairRecord)], verbose: bool) -> String {
    text(|out| emitted(run, &mut Terminal::pretty(out, None, verbose)))
}

const LINE: &str =
    "per call: 11 allocations (1100 B), 2048 B at once, against 10 allocations (1000 B), 2048 B at once";

#[test]
fn a_failure_says_what_it_is_for() {
    let run = run(Some(0.0), 11, 11);
    let text = table(&run, false);
    let expected = format!(
        "find (benches/sorting.rs:10)
    11 allocations (1100 B) per call against 10 allocations (1000 B): over the limit of +0 %
    measured: 10.0 % faster; 18.00 us per call against 20.00 us
    limit:    +0 % allocations and bytes over the baseline (max_allocations)
    {LINE}
    repeat:   "
    );
    assert!(text.contains(&expected), "{text}");
    assert!(junit::document(&so_far(&run)).contains("type=\"max_allocations\""));
    let mut page = WholeRun::drawn_by(html::details);
    page.add(&Event::RunStarted(&run[0].0));
    page.add(&Event::PairFinished { record: &run[0].1, rounds: &[] });
    let page = html::document(&page);
    for text in ["FAIL (alloc): 11 allocations (1100 B) per call", LINE, "limit:    +0 %"] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("2 % slower (max_slowdown)"), "its time is fine");
}

#[test]
fn counts_of_what_passes_are_in_the_table_for_who_asks() {
    let run = run(Some(0.1), 11, 11);
    assert_eq!(run[0].1.outcome(), Outcome::Pass);
    assert!(!table(&run, false).contains("allocations"));
    assert!(table(&run, true).contains(&format!("\n    {LINE}\n")));
}

#[test]
fn a_gate_that_is_not_exact_says_so_without_being_asked() {
    let note = "\n    allocations vary from call to call: 11 to 12 allocations (1100 to 1200 B) against ";
    assert!(table(&run(Some(1.0), 11, 12), false).contains(note));
    assert!(!table(&run(None, 11, 12), false).contains("vary"), "nobody asked for the gate");
    assert!(table(&run(None, 11, 12), true).contains(note));
}
