//! What stands below the row of a pair: what it says in words, its plots, and the command that repeats it.

use super::escape::escaped;
use super::{Room, duos, ecdf, evidence, rounds};
use crate::event::Measured;
use crate::record::{Outcome, PairRecord};
use crate::report::{explain, overhead, proof};

/// The plots of a pair: those of its slots only where these are known.
pub(super) fn plots(record: &PairRecord, measured: Option<&Measured>, room: Room) -> String {
    let of_slots = measured.map(|measured| {
        [
            duos::plot(record, measured, room),
            ecdf::plot(record, measured, room),
            evidence::plot(record, measured, room),
        ]
    });
    let plots = [rounds::plot(record, room)].into_iter().chain(of_slots.into_iter().flatten());
    let plots: String = plots.flatten().collect();
    if plots.is_empty() { plots } else { format!("<div class=plots>{plots}</div>") }
}

/// All of it.
pub(super) fn markup(record: &PairRecord, plots: &str, strict: bool) -> String {
    let lines: Vec<String> = lines(record, strict).iter().map(|line| escaped(line)).collect();
    let text = lines.join("<br>");
    let place = escaped(&format!("{}:{}", record.file, record.line));
    let group = record.group.as_ref().map(|group| format!(", against <b>{}</b>", escaped(group)));
    let repeat = escaped(&record.repeat);
    format!("<p>{text}<p class=q>{place}{}<br><code>{repeat}</code></p>{plots}", group.unwrap_or_default())
}

/// What there is to say besides the row.
fn lines(record: &PairRecord, strict: bool) -> Vec<String> {
    if matches!(record.outcome, Outcome::Fail | Outcome::Inconclusive | Outcome::Error) {
        let (_, lines) = explain::explanation(record, strict);
        return lines;
    }
    let reason = record.reason.iter().cloned();
    let figures = [proof::detail(record), overhead::net(record), proof::control(record)];
    reason.chain(figures.into_iter().flatten()).chain(record.notes.iter().cloned()).collect()
}
