//! The whole page.

use super::{summary, table};
use crate::report::escape::escaped;
use crate::report::whole_run::WholeRun;

/// The page loads nothing. Foreign text is escaped and cannot be markup.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'none'";

/// The document, with the plots of each pair.
pub(in crate::report) fn document(run: &WholeRun) -> String {
    let title = format!("{}: {}", run.title(), summary::counts(run));
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
