//! The table: a row for each pair, with a forest plot if pairs are compared, and the details below it.

use std::fmt::Write;

use super::forest::Forest;
use super::svg::short;
use super::{detail, summary};
use crate::record::{Figures, Outcome, PairRecord};
use crate::report::escape::escaped;
use crate::report::table_kind::TableKind;
use crate::report::whole_run::WholeRun;
use crate::report::{explain, sides};
use bench_diff_system::order::sort_by_key;

/// The place of the plot among the columns behind the name.
const FOREST: usize = 2;

pub(super) fn markup(run: &WholeRun) -> String {
    let kind = TableKind::of(&run.start);
    let titles = kind.titles(&run.start);
    let (caption, keys) = match kind {
        TableKind::Comparisons => {
            let caption = format!("Change from {} to {}, with its interval", titles[0], titles[1]);
            (caption, &["baseline", "candidate", "ratio", "low", "verdict"][..])
        }
        TableKind::Latencies => ("Latencies".to_owned(), &["candidate"][..]),
    };
    let forest = (kind == TableKind::Comparisons).then(|| Forest::of(&run.pairs));
    let has_throughput = forest.is_none() && run.pairs.iter().any(|pair| rate(pair).is_some());
    let mut heads = vec![head("name", sides::subject(&run.start))];
    heads.extend(keys.iter().zip(&titles).map(|(key, title)| head(key, title)));
    if has_throughput {
        heads.push(head("rate", "throughput"));
    }
    let (mut grid, mut scale) = (String::new(), String::new());
    if let Some(forest) = &forest {
        heads.insert(1 + FOREST, format!("<th scope=col>{}", forest.head()));
        (grid, scale) = (forest.grid(), format!(" data-x={}", forest.ends()));
    }
    let class = if forest.is_none() { " class=alone" } else { "" };
    let mut table = format!(
        "<svg class=defs aria-hidden=true><defs>{}{grid}</defs></svg><table id=pairs{class}{scale}>\
         <caption>{}</caption><thead><tr>{}</thead>\n",
        include_str!("marks.svg").trim_end(),
        escaped(&caption),
        heads.concat(),
    );
    let mut pairs: Vec<(&PairRecord, &String)> = run.pairs.iter().zip(&run.drawn).collect();
    sort_by_key(&mut pairs, |(pair, _)| summary::attention(pair));
    for (index, (pair, plots)) in pairs.into_iter().enumerate() {
        let mut cells: Vec<String> = kind.cells(pair).iter().map(|text| escaped(text)).collect();
        if let Some(forest) = &forest {
            cells.insert(FOREST, forest.row(pair));
        }
        if has_throughput {
            cells.push(explain::rates(pair, usize::MAX).unwrap_or_default());
        }
        let is_open = pair.outcome() == Outcome::Fail && index < summary::MOST;
        table += &body(pair, &cells, &detail::markup(pair, run.start.strict, plots), is_open);
    }
    table + "</table>"
}

/// The title of a column, which the script sorts by this key.
fn head(key: &str, title: &str) -> String {
    format!("<th scope=col data-key={key}>{}", escaped(title))
}

/// A pair. Its figures are also in attributes.
fn body(pair: &PairRecord, cells: &[String], detail: &str, is_open: bool) -> String {
    let mut body = format!("<tbody class={}", pair.outcome().name());
    if let Some(Figures { ratio, interval, .. }) = pair.figures() {
        for (name, figure) in [("ratio", Some(*ratio)), ("low", interval.low), ("high", interval.high)] {
            let _ = figure.map(|figure| write!(body, " data-{name}={}", short(figure)));
        }
    }
    let _ = rate(pair).map(|rate| write!(body, " data-rate={rate:.4e}"));
    let cells: String = cells.iter().map(|cell| format!("<td>{cell}")).collect();
    let _ = writeln!(
        body,
        "><tr><th scope=row><a href=\"#{anchor}\">{}</a>{cells}\
         <tr class={state} id=\"{anchor}\"><td colspan=7>{detail}",
        // A long name may break here.
        escaped(&pair.name).replace("::", "::<wbr>").replace('/', "/<wbr>"),
        anchor = detail::anchor(pair),
        state = if is_open { "\"d open\"" } else { "d" },
    );
    body
}

/// The bytes or the items that a function without a baseline works on in a nanosecond.
fn rate(pair: &PairRecord) -> Option<f64> {
    let timing = pair.timing()?;
    Some(timing.bytes.or(timing.items)? as f64 / timing.latency.ns)
}
