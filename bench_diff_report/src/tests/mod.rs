//! Every report of one run, from literal records.

mod allocations;
mod alone;
mod documents;
mod groups;
mod readers;
mod sides;

use std::fs;
use std::io::{self, Write};

use bench_diff_core::ClockKind;
use bench_diff_system::terminal::Plain;
use unicode_width::UnicodeWidthStr;

use crate::file::json;
use crate::fixture::{Broken, Planned, entry, planned, verdict};
use crate::record::{
    Check, Event, Figures, IntervalRecord, Machine, Outcome, OverheadRecord, PairRecord, RunRecord,
    SlotsRecord, StartRecord, SummaryRecord, WelchRecord,
};
use crate::sink::{Added, Sink, WholeRun};
use crate::terminal::Terminal;

pub(crate) fn a_plan() -> Planned {
    let pairs = ["sort::unstable", "sort::slow", "find", "broken"];
    let lines = 10..;
    let mut entries: Vec<_> = pairs.into_iter().zip(lines).map(|(name, line)| entry(name, line)).collect();
    entries[2] = entries[2].clone().baseline("by_scan");
    planned("--max-time 2s ", &entries)
}

pub(crate) fn a_machine() -> Machine {
    Machine { cpu: Some("AMD EPYC 7B13".to_owned()), cores: Some(2), load: Some(0.314), ..Machine::default() }
}

pub(crate) fn summary(median: f64) -> SummaryRecord {
    SummaryRecord {
        n: 200,
        mean: median,
        stdev: 1.0,
        min: median,
        p5: median,
        p25: median,
        median,
        p75: median,
        p95: median,
        p99: median,
        max: median,
    }
}

pub(crate) fn measured(
    plan: &Planned,
    index: usize,
    outcome: Outcome,
    ratio: f64,
    p_fail: f64,
) -> PairRecord {
    let figures = Figures {
        verdict: verdict(outcome),
        check: Some(Check::Equal),
        ratio,
        interval: IntervalRecord { level: 0.95, low: Some(ratio - 0.003), high: Some(ratio + 0.003) },
        p_fail: Some(p_fail),
        p_pass: Some(1.0 - p_fail),
        mde: Some(0.021),
        slots: SlotsRecord {
            duos: 100,
            iterations: 16,
            clock: ClockKind::Wall,
            elapsed_s: 0.25,
            candidate: summary(20_000.0 * ratio),
            ..SlotsRecord::default()
        },
        welch: WelchRecord {
            t: Some(9.5),
            df: Some(398.0),
            p: Some(1e-12),
            p_two_sided: Some(2e-12),
            nominal: false,
        },
        baseline: summary(20_000.0),
        ..Figures::default()
    };
    PairRecord { end: figures.into(), ..plan.pairs[index].clone() }
}

/// One record of each kind that has something to say.
pub(crate) fn records(plan: &Planned) -> Vec<PairRecord> {
    let mut open = measured(plan, 2, Outcome::Inconclusive, 1.001, 0.2);
    open.notes.push("outputs are dropped after each slot, untimed".to_owned());
    let cause = "too noisy to be decided in time: max_time = 4.2 s would do in 95 % of runs";
    open.notes.push(cause.to_owned());
    let open = open.with(|figures| {
        figures.reason = Some(cause.to_owned());
        figures.overhead = Some(OverheadRecord {
            share: 0.034,
            share_max: 0.035,
            net_ratio: Some(1.001_04),
            net_interval: Some(IntervalRecord { level: 0.95, low: Some(0.998), high: None }),
        });
    });
    let reason = Some("panicked at benches/sorting.rs:99:5: out of order\n  left: 1".to_owned());
    let fail = measured(plan, 1, Outcome::Fail, 1.0512, 3e-20);
    vec![
        measured(plan, 0, Outcome::Pass, 0.541, 1.0)
            .with(|figures| (figures.slots.bytes, figures.slots.items) = (Some(4096), Some(512))),
        fail.with(|figures| figures.slots.items = Some(30_000)),
        open,
        plan.pairs[3].ended(Outcome::Error, reason),
    ]
}

pub(crate) fn outcomes(records: &[PairRecord]) -> Vec<Outcome> {
    records.iter().map(PairRecord::outcome).collect()
}

/// Passes a run of these pairs to a sink.
fn emit(start: &StartRecord, records: &[PairRecord], sink: &mut dyn Sink) -> io::Result<()> {
    sink.event(&Event::RunStarted(start))?;
    records.iter().try_for_each(|record| sink.event(&Event::PairFinished { record, rounds: &[] }))?;
    sink.event(&Event::RunFinished(&RunRecord::of(start, &outcomes(records), 1.26)))
}

fn emit_all(plan: &Planned, sink: &mut dyn Sink) -> io::Result<()> {
    emit(&plan.started(a_machine()), &records(plan), sink)
}

/// The whole run, as a document gets it.
fn whole_run(plan: &Planned) -> WholeRun {
    let mut run = WholeRun::default();
    emit_all(plan, &mut run).unwrap();
    run
}

impl Sink for WholeRun {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.add(event);
        Ok(())
    }
}

impl<S: Sink> Sink for &mut S {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        (**self).event(event)
    }
}

#[track_caller]
fn is_expected(name: &str, text: &str) {
    crate::fixture::is_expected(&format!("tests/expected/{name}"), text);
}

pub(crate) fn text(emit: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut text = Vec::new();
    emit(&mut Plain::new(&mut text)).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn the_table() {
    let plan = a_plan();
    let table = |width, verbose| text(|out| emit_all(&plan, &mut Terminal::pretty(out, width, verbose)));
    is_expected("table.txt", &table(Some(80), false));
    is_expected("table_verbose.txt", &table(Some(130), true));
    for width in [43, 60, 80, 120] {
        let table = table(Some(width), false);
        // A command to copy stays whole.
        let mut lines = table.lines().filter(|line| !line.starts_with("    repeat:"));
        assert!(lines.all(|line| line.width() <= width), "{table}");
        assert!(!table.contains("Welch") && !table.contains("duos"), "{table}");
    }
}

#[test]
fn terse_is_a_line_for_each_pair() {
    let plan = a_plan();
    let text = text(|out| emit_all(&plan, &mut Terminal::terse(out, None, false)));
    let (rows, _) = text.split_once("\n\n").unwrap();
    assert_eq!(
        rows,
        "pass sort::unstable: 45.9 % faster, 10.82 us against 20.00 us
FAIL sort::slow: 5.1 % slower, 21.02 us against 20.00 us
inconclusive find: 0.1 % slower, 20.02 us against 20.00 us
ERROR broken"
    );
    assert!(text.contains("1 passed, 1 failed, 1 inconclusive, 1 error"), "{text}");
}

#[test]
fn colours_mark_the_verdicts() {
    let plan = a_plan();
    let mut out = Vec::new();
    emit_all(&plan, &mut Terminal::pretty(&mut out, None, false)).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("\u{1b}[32mpass\u{1b}[0m"), "green");
    assert!(text.contains("\u{1b}[1m\u{1b}[31mFAIL\u{1b}[0m"), "bold red");
    assert!(text.contains("\u{1b}[33minconclusive\u{1b}[0m"), "yellow");
}

#[test]
fn json_lines_are_the_records() {
    let plan = a_plan();
    let text = text(|out| emit_all(&plan, &mut Added(out, json::line)));
    is_expected("records.jsonl", &text);
}

#[test]
fn a_reader_that_went_away_is_no_error_and_a_full_disk_is_one() {
    let exit = |kind| {
        let plan = a_plan();
        let mut broken = Broken(kind);
        let options = crate::Options { format: crate::Format::Json, ..crate::Options::default() };
        let mut reports = crate::Reports::new(&options, &mut broken).unwrap();
        for record in &records(&plan) {
            reports.emit(&Event::PairFinished { record, rounds: &[] });
        }
        reports.exit().code()
    };
    assert_eq!(exit(io::ErrorKind::BrokenPipe), 0);
    assert_eq!(exit(io::ErrorKind::StorageFull), 3);
}
