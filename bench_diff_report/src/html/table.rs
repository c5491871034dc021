//! The table: a row for each pair, with a forest plot if pairs are compared, and the details below it.

use std::fmt::Write;

use bench_diff_system::order::sort_by_key;

use crate::html::axis::{self, Limit, limits};
use crate::html::svg::{Scale, short};
use crate::html::{self, summary};
use crate::record::{Figures, Outcome, PairRecord, Timing};
use crate::sink::WholeRun;
use crate::text::safe::escaped;
use crate::text::table::{COMPARISONS, TableKind};
use crate::text::{explain, overall};

/// The place of the plot among the columns behind the name.
const FOREST: usize = 2;

/// The key by which the page's script sorts each column of a comparison.
const KEYS: [&str; COMPARISONS.len()] = ["baseline", "candidate", "ratio", "low", "verdict"];

pub(crate) fn markup(run: &WholeRun) -> String {
    let kind = TableKind::of(&run.start);
    let titles = kind.titles(&run.start);
    let (caption, keys) = match kind {
        TableKind::Comparisons => {
            let caption = format!("Change from {} to {}, with its interval", titles[0], titles[1]);
            (caption, &KEYS[..])
        }
        TableKind::Latencies => ("Latencies".to_owned(), &["candidate"][..]),
    };
    let forest = (kind == TableKind::Comparisons).then(|| Forest::of(&run.pairs));
    let has_throughput = forest.is_none() && run.pairs.iter().any(|pair| rate(pair).is_some());
    let mut heads = vec![head("name", overall::subject(&run.start))];
    heads.extend(keys.iter().zip(&titles).map(|(key, title)| head(key, title)));
    if has_throughput {
        heads.push(head("rate", "throughput"));
    }
    let (mut grid, mut scale) = (String::new(), String::new());
    if let Some(forest) = &forest {
        heads.insert(1 + FOREST, format!("<th scope=col>{}", forest.head()));
        (grid, scale) =
            (forest.grid(), format!(" data-x={},{}", short(forest.scale.low), short(forest.scale.high)));
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
    for (index, (pair, details)) in pairs.into_iter().enumerate() {
        let mut cells: Vec<String> = kind.cells(pair).iter().map(|text| escaped(text)).collect();
        if let Some(forest) = &forest {
            cells.insert(FOREST, forest.row(pair));
        }
        if has_throughput {
            cells.push(explain::rates(pair, usize::MAX).unwrap_or_default());
        }
        let is_open = pair.outcome() == Outcome::Fail && index < summary::MOST;
        table += &body(pair, &cells, details, is_open);
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
        html::name(pair),
        anchor = html::anchor(pair),
        state = if is_open { "\"d open\"" } else { "d" },
    );
    body
}

/// The bytes or the items that a function without a baseline works on in a nanosecond.
fn rate(pair: &PairRecord) -> Option<f64> {
    let Timing { latency, slots, .. } = pair.timing()?;
    Some(slots.bytes.or(slots.items)? as f64 / latency.ns)
}

/// The part of the plot in a row. The style sheet has the same size.
pub(crate) const WIDTH: i32 = 320;
const HEIGHT: i32 = 34;
const MIDDLE: i32 = HEIGHT / 2;
/// Room for what lies beyond the scale.
const MARGIN: i32 = 14;

/// How far the scale reaches on either side, at least and at most. An interval that goes further ends in an
/// arrow.
const NEAREST: f64 = 0.04;
const FARTHEST: f64 = 7.0;

/// The change up to which the scale is about linear. Beyond, it is that of logarithms, so that a function
/// which is many times slower has a place, and a limit of some percent is seen beside it.
const LINEAR: f64 = 0.05;

/// The distance between two labels of the scale.
const LABEL: u32 = 38;

/// The one scale of all pairs.
pub(crate) struct Forest {
    scale: Scale,
    has_limits: bool,
}

impl Forest {
    pub(crate) fn of(pairs: &[PairRecord]) -> Self {
        let range = [-1.0, 1.0].map(|side| along(side * end(pairs, side)));
        let has_limits = pairs.iter().any(|pair| pair.gate.is_some());
        Self { scale: Scale::new(range, [MARGIN, WIDTH - MARGIN]), has_limits }
    }

    fn place(&self, ln: f64) -> i32 {
        self.scale.place(along(ln))
    }

    /// Round changes with their places, from no change outwards as far as there is room.
    fn ticks(&self) -> Vec<(i32, String)> {
        let zero = self.place(0.0);
        let mut ticks = vec![(zero, "0 %".to_owned())];
        for side in [&axis::FASTER, &axis::SLOWER] {
            let mut last = zero;
            for ratio in side.iter().filter(|ratio| self.scale.holds(along(ratio.ln()))) {
                let at = self.place(ratio.ln());
                if at.abs_diff(last) >= LABEL {
                    ticks.push((at, axis::label(*ratio)));
                    last = at;
                }
            }
        }
        ticks
    }

    /// The head of the column: what the marks mean, and the numbers above them.
    pub(crate) fn head(&self) -> String {
        let legend = if self.has_limits { "<i class=m></i> limit <i class=z></i> close to it" } else { "" };
        let mut svg = format!("<p>change and interval {legend}</p><svg aria-hidden=true><g class=a>");
        for (at, text) in self.ticks() {
            let _ = write!(svg, "<text x={at} y=12>{text}</text>");
        }
        svg + "</g></svg>"
    }

    /// The lines behind every row, defined once.
    pub(crate) fn grid(&self) -> String {
        let mut grid = String::new();
        for (at, _) in self.ticks() {
            let _ = write!(grid, "M{at} 0V{HEIGHT}");
        }
        let zero = self.place(0.0);
        format!("<g id=grid><path class=g d=\"{grid}\"/><path class=o d=\"M{zero} 0V{HEIGHT}\"/></g>")
    }

    /// The row of a pair.
    pub(crate) fn row(&self, pair: &PairRecord) -> String {
        let Some(Figures { ratio, interval, .. }) = pair.figures() else {
            return "<svg><use href=#grid /></svg>".to_owned();
        };
        let mut svg = "<svg>".to_owned();
        for Limit { at, zone } in limits(pair.gate.as_ref()) {
            if self.scale.holds(along(at)) {
                let [at, left, right] = [at, zone[0], zone[1]].map(|value| self.place(value));
                let _ =
                    write!(svg, "<rect class=z x={left} width={} /><use href=#limit x={at} />", right - left);
            }
        }
        let low = interval.low.map_or(f64::NEG_INFINITY, f64::ln);
        let high = interval.high.map_or(f64::INFINITY, f64::ln);
        let (left, right) = (self.place(low), self.place(high));
        let _ = write!(svg, "<use href=#grid /><path class=w d=\"M{left} {MIDDLE}H{right}");
        if along(low) < self.scale.low {
            let _ = write!(svg, "M{} {}l-5 5 5 5", left - 5, MIDDLE - 5);
        }
        if along(high) > self.scale.high {
            let _ = write!(svg, "M{} {}l5 5-5 5", right + 5, MIDDLE - 5);
        }
        let at = self.place(ratio.ln());
        let _ = write!(svg, "\"/><use href=#{} x={at} y={MIDDLE} /></svg>", pair.outcome().name());
        svg
    }
}

/// The distance of a change from none along the scale.
fn along(ln: f64) -> f64 {
    (ln / LINEAR).asinh()
}

/// The distance from no change to the end of the scale of these pairs on this side, -1 or 1.
fn end(pairs: &[PairRecord], side: f64) -> f64 {
    let farthest = pairs.iter().filter_map(|pair| reach(pair, side)).fold(0.0, f64::max);
    (farthest * 1.15).clamp(NEAREST, FARTHEST)
}

/// The distance from no change to the farthest part of a row on this side, -1 or 1.
fn reach(pair: &PairRecord, side: f64) -> Option<f64> {
    let Figures { ratio, interval, .. } = pair.figures()?;
    let ratios = [interval.low, interval.high, Some(*ratio)].into_iter().flatten().map(f64::ln);
    let values = ratios.chain(limits(pair.gate.as_ref()).into_iter().flat_map(Limit::in_sight));
    Some(values.map(|value| side * value).fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::IntervalRecord;

    fn pair(low: f64, ratio: f64, high: Option<f64>) -> PairRecord {
        let interval = IntervalRecord { level: 0.9, low: Some(low), high };
        Figures { ratio, interval, ..Figures::default() }.into()
    }

    #[test]
    fn one_pair_far_away_has_a_place_and_does_not_squeeze_the_others() {
        let mut pairs: Vec<PairRecord> = (0..20).map(|_| pair(0.99, 1.0, Some(1.01))).collect();
        let near = Forest::of(&pairs);
        assert_eq!([near.scale.low, near.scale.high], [-NEAREST, NEAREST].map(along));
        let labels = |forest: &Forest| forest.ticks().into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(labels(&near), ["0 %", "\u{2212}1 %", "\u{2212}2 %", "+1 %", "+2 %"]);
        pairs.push(pair(90.0, 100.0, None));
        let forest = Forest::of(&pairs);
        assert_eq!(labels(&forest), ["0 %", "+5 %", "+20 %", "+50 %", "5x", "50x"]);
        let far = forest.row(&pairs[20]);
        assert!(far.contains("H306M311 12l5 5-5 5") && far.contains("<use href=#measured x=299"), "{far}");
        let one = forest.row(&pairs[0]);
        assert!(one.contains("M40 17H59") && one.contains("<use href=#measured x=49 "), "{one}");
        let beyond = Forest::of(&[pair(1.0, 1e9, None)]).row(&pairs[20]);
        assert!(beyond.contains("<use href=#measured x=287"), "{beyond}");
    }

    #[test]
    fn what_has_no_figures_has_a_row_without_a_mark() {
        let forest = Forest::of(&[]);
        assert!(!forest.row(&PairRecord::default()).contains("class=w"));
        assert!(forest.head().contains(">0 %</text>"));
    }
}
