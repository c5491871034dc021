//! What a reader needs to know of a pair that did not pass.

use super::{allocations, by_place, numbers, phrase, proof};
use crate::record::{LayoutsRecord, Outcome, PairRecord};

/// Where the pair stands, and the lines below that: what was measured and what was allowed.
pub(super) fn explanation(record: &PairRecord, strict: bool) -> (String, Vec<String>) {
    let mut lines = findings(record);
    if record.outcome == Outcome::Inconclusive {
        let effect =
            if strict { "fails the run, because of --strict" } else { "fails the run only with --strict" };
        lines.push(format!("an inconclusive pair {effect}"));
    }
    (format!("{}:{}", record.file, record.line), lines)
}

/// What was measured, what was allowed, and what is proven.
pub(crate) fn findings(record: &PairRecord) -> Vec<String> {
    let reason = record.reason.as_deref().unwrap_or_default();
    let mut lines: Vec<String> = reason.lines().map(str::to_owned).collect();
    lines.extend(measured(record));
    if let (Some(gate), Outcome::Fail | Outcome::Inconclusive) = (&record.gate, record.outcome_of_time()) {
        lines.push(format!("allowed:  {}", phrase::allowance(gate)));
        let besides = [record.tail.map(|tail| phrase::allowed_tail(tail.margin)), phrase::ignored(record)];
        lines.extend(besides.into_iter().flatten().map(|allowed| format!("          {allowed}")));
    }
    lines.extend(allocations::allowed(record));
    if is_as_linked(record) {
        lines.push(AS_LINKED.to_owned());
    }
    if matches!(record.outcome, Outcome::Fail | Outcome::Inconclusive) {
        lines.extend(proof::detail(record));
        lines.extend(by_place::line(record));
        lines.extend(phrase::disturbed(record));
        lines.extend(allocations::line(record));
        let is_shown = |note: &&String| !reason.lines().any(|line| line == note.as_str());
        lines.extend(record.advice().iter().filter(is_shown).cloned());
    }
    lines
}

fn in_layouts(LayoutsRecord { n, linked, .. }: &LayoutsRecord) -> String {
    let linked = linked.map(|ratio| format!(", {} as linked", phrase::difference(ratio)));
    format!(" in {n} layouts{}", linked.unwrap_or_default())
}

/// Whether it failed in rounds of the program as linked.
pub(super) fn is_as_linked(record: &PairRecord) -> bool {
    record.outcome_of_time() == Outcome::Fail
        && record.rounds.is_some()
        && record.layouts.is_none()
        && !record.fails_in_any_place()
}

pub(super) const AS_LINKED: &str =
    "all rounds ran in this program as it is linked, so the place of the code is part of the ratio";

fn measured(record: &PairRecord) -> Option<String> {
    let (ratio, interval) = record.ratio.zip(record.interval)?;
    let change = phrase::change(record)?;
    let latencies = phrase::typical(record).map(|latencies| {
        let [baseline, candidate] = latencies.map(numbers::latency);
        let of = record.against.as_ref().map(|path| format!(" of {path}")).unwrap_or_default();
        format!("; {candidate} a call against {baseline}{of}")
    });
    let layouts = record.layouts.as_ref().map(in_layouts).unwrap_or_default();
    Some(format!(
        "measured: {change}, ratio {}, {} interval {}{layouts}{}",
        numbers::ratio(ratio),
        numbers::share(interval.level),
        numbers::interval(interval.low, interval.high),
        latencies.unwrap_or_default(),
    ))
}
