//! The part below the row of a pair: what it says in words, its plots, and the command that repeats it.

use super::{Room, duos, ecdf, places, rounds};
use crate::record::{Measured, Outcome, PairRecord};
use crate::report::escape::escaped;
use crate::report::pair_text::PairText;
use crate::report::{allocations, explain, phrase, timing};

/// The plots of a pair: those of its slots only where these are known.
pub(super) fn plots(record: &PairRecord, measured: Option<&Measured>, room: Room) -> String {
    let is_pair = record.timing().is_none();
    let of_slots = measured.map(|measured| {
        let duos = is_pair.then(|| duos::plot(record, measured, room)).flatten();
        [duos, ecdf::plot(measured, room)]
    });
    let of_rounds =
        PairText::of(record).map(|text| [rounds::plot(text, room), places::plot(text.figures, room)]);
    let plots = of_rounds.into_iter().flatten().chain(of_slots.into_iter().flatten());
    let plots: String = plots.flatten().collect();
    if plots.is_empty() { plots } else { format!("<div>{plots}</div>") }
}

/// All of it.
pub(super) fn markup(record: &PairRecord, plots: &str) -> String {
    let lines: Vec<String> = lines(record).iter().map(|line| escaped(line)).collect();
    let text = lines.join("<p>");
    let place = escaped(&format!("{}:{}", record.file, record.line));
    let against = record.against.as_ref().or(record.group.as_ref());
    let against = against.map(|baseline| format!(", against <b>{}</b>", escaped(baseline)));
    let repeat = escaped(&record.repeat);
    let output = record.output().map(|output| format!("<pre>{}</pre>", escaped(output)));
    let (against, output) = (against.unwrap_or_default(), output.unwrap_or_default());
    format!("<div><p>{text}<p class=q>{place}{against}<code>{repeat}</code>{output}{plots}</div>")
}

/// The lines besides the row and the plots.
fn lines(record: &PairRecord) -> Vec<String> {
    let mut lines: Vec<String> = record.reason().unwrap_or_default().lines().map(str::to_owned).collect();
    let Some(text) = PairText::of(record) else {
        lines.extend(timing::lines(record));
        lines.extend(phrase::notes(record));
        return lines;
    };
    if let (Some(gate), Outcome::Fail | Outcome::Inconclusive) = (&record.gate, record.outcome_of_time()) {
        lines.push(format!("allowed:  {} ({})", phrase::allowed(gate), gate.gate().name()));
        lines.extend(text.figures.tail.map(|tail| phrase::allowed_tail(tail.margin)));
    }
    lines.extend(allocations::allowed(text.figures));
    lines.extend(text.ignored());
    if text.is_as_linked() {
        lines.push(explain::AS_LINKED.to_owned());
    }
    let facts = [
        text.throughput(),
        text.differs(),
        Some(text.claim()),
        text.disturbed(),
        text.net(),
        allocations::line(text.figures),
        Some(text.facts()),
    ];
    lines.extend(facts.into_iter().flatten());
    for note in phrase::notes(record) {
        if !lines.contains(&note) {
            lines.push(note);
        }
    }
    lines
}
