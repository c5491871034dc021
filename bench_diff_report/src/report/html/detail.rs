//! The part below the row of a pair: its text, its plots, and the command that repeats it.

use bench_diff_core::Recording;

use super::{Room, duos, ecdf, rounds};
use crate::record::PairRecord;
use crate::report::escape::escaped;
use crate::report::pair_text::PairText;
use crate::report::whole_run::WholeRun;
use crate::report::{explain, sides};

/// The anchor of a pair, with a prefix that no id of the page itself has.
pub(super) fn anchor(pair: &PairRecord) -> String {
    escaped(&format!("/{}", pair.name))
}

/// The plots of a pair.
pub(in crate::report) fn plots(run: &WholeRun, record: &PairRecord, slots: &[Vec<Recording>]) -> String {
    let room = Room::of_next(run);
    let mut plots = String::new();
    if let Some(text) = PairText::of(record) {
        plots.extend(rounds::plot(text));
    }
    if record.timing().is_none() {
        plots.extend(duos::plot(record, slots, room));
    }
    plots.extend(ecdf::plot(slots, &sides::names(&run.start), room));
    if plots.is_empty() { plots } else { format!("<div>{plots}</div>") }
}

/// The whole part: why it did not pass, the command that repeats it, and everything else.
pub(super) fn markup(record: &PairRecord, strict: bool, plots: &str) -> String {
    let (place, reasons) = explain::explanation(record, strict, false);
    let mut facts = explain::details(record);
    facts.extend(PairText::of(record).map(PairText::facts));
    facts.retain(|line| !reasons.contains(line));
    let lines = |lines: &[String], class: &str| -> String {
        lines.iter().map(|line| format!("<p{class}>{}", escaped(line))).collect()
    };
    let place = escaped(&place);
    let against = record.against.as_ref().or(record.group.as_ref());
    let against = against.map(|baseline| format!(", against <b>{}</b>", escaped(baseline)));
    let repeat = escaped(&record.repeat);
    let output = record.output().map(|output| format!("<pre>{}</pre>", escaped(output)));
    [
        "<div>",
        &lines(&reasons, ""),
        &format!("<p class=q>{place}{}<code>{repeat}</code>", against.unwrap_or_default()),
        &output.unwrap_or_default(),
        &lines(&facts, " class=q"),
        plots,
        "</div>",
    ]
    .concat()
}
