//! The part below the row of a pair: its text, its plots, and the command that repeats it.

use super::{Room, duos, ecdf, rounds};
use crate::record::{Measured, Outcome, PairRecord};
use crate::report::escape::escaped;
use crate::report::pair_text::PairText;
use crate::report::whole_run::WholeRun;
use crate::report::{allocations, explain, phrase};

/// The plots of a pair; those of its slots only if the slots are known.
pub(in crate::report) fn plots(run: &WholeRun, record: &PairRecord, measured: Option<&Measured>) -> String {
    let room = Room::of_next(run);
    let mut plots = String::new();
    if let Some(text) = PairText::of(record) {
        plots.extend(rounds::plot(text));
    }
    if let Some(measured) = measured {
        if record.timing().is_none() {
            plots.extend(duos::plot(record, measured, room));
        }
        plots.extend(ecdf::plot(measured, room));
    }
    if plots.is_empty() { plots } else { format!("<div>{plots}</div>") }
}

/// The whole part.
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
    let text = PairText::of(record);
    if let Some(text) = text {
        if let (Some(gate), Outcome::Fail | Outcome::Inconclusive) = (&record.gate, record.outcome_of_time())
        {
            lines.push(format!("allowed:  {}", phrase::limit(gate)));
            lines.extend(text.figures.tail.map(|tail| phrase::allowed_tail(tail.margin)));
        }
        lines.extend(allocations::allowed(text.figures));
        lines.extend(text.is_as_linked().then(|| explain::AS_LINKED.to_owned()));
    }
    for line in explain::details(record).into_iter().chain(text.map(PairText::facts)) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}
