//! A page for people: one file that loads nothing, with a table that is a forest plot and the plots of each
//! pair.
//!
//! The page is whole without its script: the table, the plots and the links to each pair are there. The
//! script sorts, filters and listens to keys.

mod axis;
mod plots;
mod summary;
mod svg;
mod table;
#[cfg(test)]
mod tests;

use bench_diff_core::Recording;

use self::plots::Room;
use crate::record::PairRecord;
use crate::sink::WholeRun;
use crate::text::pair::PairText;
use crate::text::safe::escaped;
use crate::text::{explain, overall};

/// The page loads nothing. Foreign text is escaped and cannot be markup.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'none'";

/// The document, with the plots of each pair.
pub(crate) fn document(run: &WholeRun) -> String {
    let title = format!("{}: {}", run.title(), run.counts());
    let (style, script) = (include_str!("style.css"), include_str!("script.js"));
    [
        "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><meta http-equiv=Content-Security-Policy content=\"",
        POLICY,
        "\"><meta name=viewport content=\"width=device-width,initial-scale=1\">\
         <meta name=color-scheme content=\"light dark\"><link rel=icon href=\"data:,\"><title>",
        &escaped(&title),
        "</title>\n<style>\n",
        style,
        "</style>\n<main>",
        &summary::markup(run),
        &controls(run),
        &table::markup(run),
        "<footer>",
        include_str!("reading.html").trim_end(),
        "<p class=q>",
        &escaped(&run.facts().join("\n")).replace("\n", "<br>"),
        "</footer></main>\n<script>\n",
        script,
        "</script>\n",
    ]
    .concat()
}

/// The controls, hidden until the script shows them.
fn controls(run: &WholeRun) -> String {
    let mut form = "<form role=search hidden><label for=search>Filter</label><input id=search type=search \
        placeholder=\"part of a name\" autocomplete=off spellcheck=false><span role=group aria-label=Verdicts>"
        .to_owned();
    for (outcome, count) in summary::outcomes(&run.pairs) {
        let (name, word) = (outcome.name(), outcome.shown());
        form += &format!(
            "<button type=button class={name} data-outcome={name} aria-pressed=true>{word} {count}</button>"
        );
    }
    form + "</span><output id=count aria-live=polite></output></form>"
}

/// The anchor of a pair, with a prefix that no id of the page itself has.
pub(crate) fn anchor(pair: &PairRecord) -> String {
    escaped(&format!("/{}", pair.name))
}

/// The name of a pair, which may break between its words.
pub(crate) fn name(pair: &PairRecord) -> String {
    escaped(&pair.name).replace("::", "::<wbr>").replace('/', "/<wbr>").replace('_', "_<wbr>")
}

/// The whole part of a pair: why it did not pass, the command that repeats it, its plots, and everything
/// else, behind a toggle if there are plots.
pub(crate) fn details(run: &WholeRun, record: &PairRecord, slots: &[Vec<Recording>]) -> String {
    let (place, reasons) = explain::explanation(record, run.start.strict, false);
    let mut facts = explain::details(record);
    facts.extend(PairText::of(record).map(PairText::facts));
    facts.retain(|line| !reasons.contains(line));
    let lines = |lines: &[String], class: &str| -> String {
        lines.iter().map(|line| format!("<p{class}>{}", escaped(line))).collect()
    };
    let place = escaped(&place);
    let against = record.against.as_ref().map(|baseline| format!(", against <b>{}</b>", escaped(baseline)));
    let repeat = escaped(&record.repeat);
    let output = record.output().map(|output| format!("<pre>{}</pre>", escaped(output)));
    let (reasons, facts) = (lines(&reasons, ""), lines(&facts, " class=q"));
    let room = Room::of_next(run);
    let rounds = PairText::of(record).and_then(plots::rounds).unwrap_or_default();
    let duos = plots::duos(record, slots, room).filter(|_| record.timing().is_none()).unwrap_or_default();
    let latencies = plots::latencies(slots, &overall::names(&run.start), room).unwrap_or_default();
    let rest = if rounds.is_empty() && latencies.is_empty() {
        facts
    } else {
        format!(
            "<div>{rounds}{latencies}</div><details><summary>Statistics</summary><div>{duos}{facts}</div></details>"
        )
    };
    let (against, output) = (against.unwrap_or_default(), output.unwrap_or_default());
    format!("<div>{reasons}<p class=q>{place}{against}<code>{repeat}</code>{output}{rest}</div>")
}
