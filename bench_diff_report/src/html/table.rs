//! The table: a row for each pair, with a forest plot if pairs are compared, and the details below it.

use std::f64::consts::LN_2;
use std::fmt::Write;

use bench_diff_system::order::sort_by_key;

use crate::html::axis::{self, Limit, limits};
use crate::html::svg::{Scale, quantile, short};
use crate::html::{self, summary};
use crate::record::{Figures, Outcome, PairRecord, Timing};
use crate::sink::WholeRun;
use crate::text::safe::escaped;
use crate::text::table::TableKind;
use crate::text::{explain, overall};

/// The place of the plot among the columns behind the name.
const FOREST: usize = 2;

pub(crate) fn markup(run: &WholeRun) -> String {
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
    let mut heads = vec![head("name", overall::subject(&run.start))];
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
        table += &body(pair, &cells, &html::details(pair, run.start.strict, plots), is_open);
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
const FARTHEST: f64 = 2.0 * LN_2;

/// The scale holds this share of the pairs. It goes beyond `FAR` only if half of the pairs do.
const MOST: f64 = 0.9;
const FAR: f64 = 0.1;
/// A share that selects the nearer of two pairs.
const HALF: f64 = 0.49;

/// The one scale of all pairs.
pub(crate) struct Forest {
    scale: Scale,
    has_limits: bool,
}

impl Forest {
    pub(crate) fn of(pairs: &[PairRecord]) -> Self {
        let range = [-end(pairs, -1.0), end(pairs, 1.0)];
        let has_limits = pairs.iter().any(|pair| pair.gate.is_some());
        Self { scale: Scale::new(range, [MARGIN, WIDTH - MARGIN]), has_limits }
    }

    /// The ends of the scale, as logarithms.
    pub(crate) fn ends(&self) -> String {
        [self.scale.low, self.scale.high].map(short).join(",")
    }

    /// The head of the column: what the marks mean, and the numbers above them.
    pub(crate) fn head(&self) -> String {
        let legend = if self.has_limits { "<i class=m></i> limit <i class=z></i> close to it" } else { "" };
        let mut svg = format!("<p>change and interval {legend}</p><svg aria-hidden=true><g class=a>");
        for tick in axis::changes([self.scale.low, self.scale.high], 5) {
            let _ = write!(svg, "<text x={} y=12>{}</text>", self.scale.place(tick.value), tick.text);
        }
        svg + "</g></svg>"
    }

    /// The lines behind every row, defined once.
    pub(crate) fn grid(&self) -> String {
        let mut grid = String::new();
        for tick in axis::changes([self.scale.low, self.scale.high], 5) {
            let _ = write!(grid, "M{} 0V{HEIGHT}", self.scale.place(tick.value));
        }
        let zero = self.scale.place(0.0);
        format!("<g id=grid><path class=g d=\"{grid}\"/><path class=o d=\"M{zero} 0V{HEIGHT}\"/></g>")
    }

    /// The row of a pair.
    pub(crate) fn row(&self, pair: &PairRecord) -> String {
        let Some(Figures { outcome, ratio, interval, .. }) = pair.figures() else {
            return "<svg><use href=#grid /></svg>".to_owned();
        };
        let mut svg = "<svg>".to_owned();
        for Limit { at, zone } in limits(pair.gate.as_ref()) {
            if self.scale.holds(at) {
                let [at, left, right] = [at, zone[0], zone[1]].map(|value| self.scale.place(value));
                let _ =
                    write!(svg, "<rect class=z x={left} width={} /><use href=#limit x={at} />", right - left);
            }
        }
        let low = interval.low.map_or(f64::NEG_INFINITY, f64::ln);
        let high = interval.high.map_or(f64::INFINITY, f64::ln);
        let (left, right) = (self.scale.place(low), self.scale.place(high));
        let _ = write!(svg, "<use href=#grid /><path class=w d=\"M{left} {MIDDLE}H{right}");
        if low < self.scale.low {
            let _ = write!(svg, "M{} {}l-5 5 5 5", left - 5, MIDDLE - 5);
        }
        if high > self.scale.high {
            let _ = write!(svg, "M{} {}l5 5-5 5", right + 5, MIDDLE - 5);
        }
        let at = self.scale.place(ratio.ln());
        let _ = write!(svg, "\"/><use href=#{} x={at} y={MIDDLE} /></svg>", outcome.name());
        svg
    }
}

/// The distance from no change to the end of the scale of these pairs on this side, -1 or 1.
fn end(pairs: &[PairRecord], side: f64) -> f64 {
    let mut reaches: Vec<f64> = pairs.iter().filter_map(|pair| reach(pair, side)).collect();
    reaches.sort_by(f64::total_cmp);
    let far = |share| if reaches.is_empty() { 0.0 } else { quantile(&reaches, share) };
    (far(MOST).min(far(HALF).max(FAR)) * 1.15).clamp(NEAREST, FARTHEST)
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
    use crate::record::{IntervalRecord, Outcome};

    fn pair(low: f64, ratio: f64, high: Option<f64>) -> PairRecord {
        let interval = IntervalRecord { level: 0.9, low: Some(low), high };
        Figures { ratio, interval, outcome: Outcome::Measured, ..Figures::default() }.into()
    }

    #[test]
    fn one_pair_far_away_does_not_squeeze_the_others() {
        let mut pairs: Vec<PairRecord> = (0..20).map(|_| pair(0.99, 1.0, Some(1.01))).collect();
        pairs.push(pair(90.0, 100.0, None));
        let few = Forest::of(&pairs[19..]);
        assert_eq!([few.scale.low, few.scale.high], [-NEAREST, FAR * 1.15], "a pair of two is not most");
        let forest = Forest::of(&pairs);
        assert_eq!([forest.scale.low, forest.scale.high], [-NEAREST, NEAREST]);
        let far = forest.row(&pairs[20]);
        assert!(
            far.contains("M306 17H306M311 12l5 5-5 5") && far.contains("<use href=#measured x=306"),
            "{far}"
        );
        assert!(forest.row(&pairs[0]).contains("<use href=#measured x=160 "));
    }

    #[test]
    fn what_has_no_figures_has_a_row_without_a_mark() {
        let forest = Forest::of(&[]);
        assert!(!forest.row(&PairRecord::default()).contains("class=w"));
        assert!(forest.head().contains(">0 %</text>"));
    }
}
