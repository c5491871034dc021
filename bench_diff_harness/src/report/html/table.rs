//! The table that is a forest plot: a row for each pair, and below it what else there is to see.

use std::fmt::Write;

use super::detail;
use super::forest::Forest;
use super::svg::short;
use crate::record::{Figures, PairRecord};
use crate::report::escape::escaped;
use crate::report::row;
use crate::report::run_so_far::RunSoFar;
use crate::report::sides;

/// The anchor of a pair, which no id of the page itself begins like.
pub(super) fn anchor(pair: &PairRecord) -> String {
    escaped(&format!("/{}", pair.name))
}

pub(super) fn markup(so_far: &RunSoFar) -> String {
    let forest = Forest::of(&so_far.pairs);
    let [name, baseline, candidate] = sides::titles(&so_far.start);
    let mut table = format!(
        "<svg class=defs aria-hidden=true><defs>{}{}</defs></svg><table id=pairs data-x={}>\
         <caption>Change from {} to {candidate}, with its interval</caption><thead><tr>",
        include_str!("marks.svg").trim_end(),
        forest.grid(),
        forest.ends(),
        escaped(&baseline)
    );
    // The columns, with what the script sorts by.
    for (title, key) in [
        (name.as_str(), "name"),
        (&baseline, "baseline"),
        (&candidate, "candidate"),
        ("", ""),
        ("change", "ratio"),
        ("interval, %", "low"),
        ("verdict", "verdict"),
    ] {
        table += &match key {
            "" => format!("<th scope=col aria-label=\"forest plot\">{}", forest.axis()),
            key => format!("<th scope=col data-key={key}>{}", escaped(title)),
        };
    }
    table += "</thead>\n";
    for (pair, plots) in so_far.pairs.iter().zip(&so_far.plots) {
        table += &body(pair, &forest, &detail::markup(pair, plots));
    }
    table + "</table>"
}

/// A pair, whose figures stand in attributes as well.
fn body(pair: &PairRecord, forest: &Forest, detail: &str) -> String {
    let mut body = format!("<tbody class={}", pair.outcome().name());
    if let Some(Figures { ratio, interval, .. }) = pair.figures() {
        for (name, figure) in [("ratio", Some(*ratio)), ("low", interval.low), ("high", interval.high)] {
            let _ = figure.map(|figure| write!(body, " data-{name}={}", short(figure)));
        }
    }
    let [baseline, candidate, change, interval, word] = row::figures(pair).map(|figure| escaped(&figure));
    let _ = writeln!(
        body,
        "><tr><th scope=row><a href=\"#{anchor}\">{}</a><td>{baseline}<td>{candidate}<td>{}<td>{change}\
         <td>{interval}<td>{word}\
         <tr class=d id=\"{anchor}\"><td colspan=7>{detail}",
        // Where a long name may go on in the next line.
        escaped(&pair.name).replace("::", "::<wbr>").replace('/', "/<wbr>"),
        forest.row(pair),
        anchor = anchor(pair),
    );
    body
}
