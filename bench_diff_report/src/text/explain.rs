//! The explanation of a pair that did not pass.

use bench_diff_system::text::counted;

use crate::record::{Figures, Outcome, PairRecord, SlotsRecord};
use crate::text::pair::{self, PairText};
use crate::text::{numbers, phrase};

/// The location of the pair, and the lines below it: the measured change, the limit and the proof, with its
/// statistics or without.
pub(crate) fn explanation(record: &PairRecord, strict: bool, has_statistics: bool) -> (String, Vec<String>) {
    let mut lines = findings(record, has_statistics);
    if record.outcome() == Outcome::Inconclusive {
        let effect =
            if strict { "fails the run, because of --strict" } else { "fails the run only with --strict" };
        lines.push(format!("inconclusive: {effect}"));
    }
    (format!("{}:{}", record.file, record.line), lines)
}

/// All of it as one text, with the command that repeats the pair.
pub(crate) fn whole(record: &PairRecord, strict: bool) -> String {
    let (location, lines) = explanation(record, strict, false);
    format!("{location}\n{}\nrepeat:   {}", lines.join("\n"), record.repeat)
}

/// All lines below the row of a pair.
pub(crate) fn details(record: &PairRecord) -> Vec<String> {
    let mut lines = Vec::from_iter(throughput(record));
    if let Some(text) = PairText::of(record) {
        lines.extend(text.allowed());
        lines.extend(text.ignored());
        lines.extend(evidence(text, true));
    }
    lines.extend(pair::latency_lines(record));
    lines.extend(record.advice().iter().chain(&record.notes).cloned());
    lines
}

/// The work of a typical call as rates, for both functions if there are two: `1.24 GB/s against 1.13 GB/s`.
/// Leaves out rates that do not fit into `room` columns.
pub(crate) fn rates(record: &PairRecord, room: usize) -> Option<String> {
    let SlotsRecord { bytes, items, .. } = *record.slots()?;
    let mut rates = if let Some(timing) = record.timing() {
        numbers::rates(bytes, items, &[timing.latency.ns])
    } else {
        let [baseline, candidate] = PairText::of(record)?.typical();
        numbers::rates(bytes, items, &[candidate, baseline])
    };
    while rates.join(", ").len() > room {
        rates.pop();
    }
    Some(rates.join(", ")).filter(|rates| !rates.is_empty())
}

/// The rates as a line.
pub(crate) fn throughput(record: &PairRecord) -> Option<String> {
    rates(record, usize::MAX).map(|rates| format!("throughput: {rates}"))
}

/// The measured change, the limit and the proof.
fn findings(record: &PairRecord, has_statistics: bool) -> Vec<String> {
    let mut lines: Vec<String> = record.reason().unwrap_or_default().lines().map(str::to_owned).collect();
    let Some(text) = PairText::of(record) else { return lines };
    let reasons = lines.clone();
    lines.push(measured(text, has_statistics));
    if let (Some(gate), Outcome::Fail | Outcome::Inconclusive) = (&record.gate, record.outcome_of_time()) {
        let limit =
            if has_statistics { phrase::limit_and_error_rate(gate) } else { phrase::limit_and_proof(gate) };
        lines.push(format!("limit:    {limit}"));
        lines.extend(text.ignored().map(|line| format!("          {line}")));
    }
    lines.extend(text.limit_of_allocations());
    if text.is_as_linked() {
        lines.push(AS_LINKED.to_owned());
    }
    if matches!(record.outcome(), Outcome::Fail | Outcome::Inconclusive) {
        lines.extend(evidence(text, has_statistics));
        lines.extend(record.advice().iter().filter(|advice| !reasons.contains(advice)).cloned());
    }
    lines
}

/// The proof, and the other evidence: where the machine code differs, and the allocations.
fn evidence(text: PairText<'_>, has_statistics: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if has_statistics {
        lines.push(text.proof());
        lines.extend(text.spread());
    }
    lines.extend(text.differs());
    lines.extend(text.allocations());
    lines
}

/// The first line of the reason for the outcome.
pub(crate) fn cause(record: &PairRecord) -> Option<String> {
    record.reason()?.lines().next().map(str::to_owned)
}

/// The command that repeats a pair, and its output if it ended in an error. These lines are not wrapped, so
/// that they can be copied.
pub(crate) fn repetition(record: &PairRecord) -> Vec<String> {
    let mut lines = vec![format!("repeat:   {}", record.repeat)];
    if let Some(output) = record.output() {
        lines.push("output:".to_owned());
        lines.extend(output.lines().map(|line| format!("  {line}").trim_end().to_owned()));
    }
    lines
}

const AS_LINKED: &str = "all rounds ran the bench binary as linked, so code placement is part of the ratio";

fn measured(text: PairText<'_>, has_statistics: bool) -> String {
    let change = if has_statistics { statistics(text) } else { text.change() };
    let [baseline, candidate] = text.latencies();
    let place = text.record.against.as_ref().map(|path| format!(" in {path}")).unwrap_or_default();
    format!("measured: {change}; {candidate} per call against {baseline}{place}")
}

/// The change with its interval, and the rounds in layouts that it was measured in.
fn statistics(text: PairText<'_>) -> String {
    let Figures { layouts, rounds, .. } = text.figures;
    let in_layouts = layouts.as_ref().zip(rounds.as_ref()).map(|(layouts, rounds)| {
        let linked = layouts.linked.map(|ratio| format!(", {} as linked", phrase::difference(ratio)));
        format!(" in {}{}", counted(rounds.n, "round"), linked.unwrap_or_default())
    });
    text.summary() + &in_layouts.unwrap_or_default()
}
