//! The explanation of a pair that did not pass.

use super::pair_text::PairText;
use super::{allocations, by_place, phrase, timing};
use crate::record::{LayoutsRecord, Outcome, PairRecord, RoundsRecord};

/// The location of the pair, and the lines below it: the measured and the allowed change.
pub(super) fn explanation(record: &PairRecord, strict: bool) -> (String, Vec<String>) {
    let mut lines = findings(record);
    if record.outcome() == Outcome::Inconclusive {
        let effect =
            if strict { "fails the run, because of --strict" } else { "fails the run only with --strict" };
        lines.push(format!("an inconclusive pair {effect}"));
    }
    (format!("{}:{}", record.file, record.line), lines)
}

/// All of it as one text, with the command that repeats the pair.
pub(super) fn whole(record: &PairRecord, strict: bool) -> String {
    let (place, lines) = explanation(record, strict);
    format!("{place}\n{}\nrepeat:   {}", lines.join("\n"), record.repeat)
}

/// The lines below the row of a pair, for whoever asks for all of them.
pub(super) fn details(record: &PairRecord) -> Vec<String> {
    let of_pair = PairText::of(record).map(|text| {
        [
            text.throughput(),
            text.ignored(),
            Some(text.proof()),
            text.differs(),
            by_place::line(text.figures),
            text.net(),
            allocations::line(text.figures),
        ]
    });
    let of_pair = of_pair.into_iter().flatten().flatten();
    let notes = record.advice().iter().chain(&record.notes).cloned();
    of_pair.chain(timing::lines(record)).chain(notes).collect()
}

/// The measured change, the allowed one, and the proof.
fn findings(record: &PairRecord) -> Vec<String> {
    let reason = record.reason().unwrap_or_default();
    let mut lines: Vec<String> = reason.lines().map(str::to_owned).collect();
    let Some(text) = PairText::of(record) else { return lines };
    lines.push(measured(text));
    if let (Some(gate), Outcome::Fail | Outcome::Inconclusive) = (&record.gate, record.outcome_of_time()) {
        lines.push(format!("allowed:  {}", phrase::allowance(gate)));
        let of_tail = text.figures.tail.map(|tail| phrase::allowed_tail(tail.margin));
        let besides = of_tail.into_iter().chain(text.ignored());
        lines.extend(besides.map(|allowed| format!("          {allowed}")));
    }
    lines.extend(allocations::allowed(text.figures));
    if text.is_as_linked() {
        lines.push(AS_LINKED.to_owned());
    }
    if matches!(record.outcome(), Outcome::Fail | Outcome::Inconclusive) {
        lines.push(text.proof());
        lines.extend(text.differs());
        lines.extend(by_place::line(text.figures));
        lines.extend(allocations::line(text.figures));
        let is_shown = |note: &&String| !reason.lines().any(|line| line == note.as_str());
        lines.extend(record.advice().iter().filter(is_shown).cloned());
    }
    lines
}

/// The command that repeats a pair, and what it wrote if it ended in an error: lines to copy, as they are.
pub(super) fn repetition(record: &PairRecord) -> Vec<String> {
    let mut lines = vec![format!("repeat:   {}", record.repeat)];
    if let Some(output) = record.output() {
        lines.push("output:".to_owned());
        lines.extend(output.lines().map(|line| format!("  {line}").trim_end().to_owned()));
    }
    lines
}

pub(super) const AS_LINKED: &str =
    "all rounds ran in this program as it is linked, so the place of the code is part of the ratio";

fn measured(text: PairText<'_>) -> String {
    let in_layouts = |(layouts, rounds): (&LayoutsRecord, &RoundsRecord)| {
        let linked = layouts.linked.map(|ratio| format!(", {} as linked", phrase::difference(ratio)));
        format!(" in {} layouts{}", rounds.n, linked.unwrap_or_default())
    };
    let layouts = text.figures.layouts.as_ref().zip(text.figures.rounds.as_ref());
    let layouts = layouts.map(in_layouts).unwrap_or_default();
    let [baseline, candidate] = text.latencies();
    let of = text.record.against.as_ref().map(|path| format!(" of {path}")).unwrap_or_default();
    format!("measured: {}{layouts}; {candidate} a call against {baseline}{of}", text.summary())
}
