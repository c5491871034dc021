//! The forest plot: the interval of every pair on one log scale, with its zone.

use std::f64::consts::LN_2;
use std::fmt::Write;

use super::rounds::zones;
use super::svg::{Scale, quantile, short};
use super::ticks;
use crate::record::{Figures, PairRecord};

/// The part of the plot in a row. The style sheet has the same size.
pub(super) const WIDTH: i32 = 320;
const HEIGHT: i32 = 34;
const MIDDLE: i32 = HEIGHT / 2;
/// Room for what lies beyond the scale.
const MARGIN: i32 = 14;

/// The scale goes no further than this on either side; what lies beyond is drawn as an arrow.
const NEAREST: f64 = 0.04;
const FARTHEST: f64 = 2.0 * LN_2;

/// At least this share of the pairs lies within the scale, unless it would go too far.
const WITHIN: f64 = 0.9;

/// The one scale of all pairs.
pub(super) struct Forest {
    scale: Scale,
}

impl Forest {
    pub(super) fn of(pairs: &[PairRecord]) -> Self {
        let (mut logarithms, mut bounds) = (Vec::new(), Vec::<f64>::new());
        for pair in pairs {
            if let Some(Figures { ratio, interval, .. }) = pair.figures() {
                let ratios = [interval.low, interval.high, Some(*ratio)];
                logarithms.extend(ratios.into_iter().flatten().map(f64::ln));
            }
            bounds.extend(zones(pair.gate.as_ref()).as_flattened());
        }
        let end = |side: f64| {
            let mut values: Vec<f64> = logarithms.iter().map(|ln| side * ln).collect();
            values.sort_by(f64::total_cmp);
            let reach = if values.is_empty() { 0.0 } else { quantile(&values, WITHIN) * 1.1 };
            // Zones are always visible, with room beyond them.
            let reach = reach.clamp(NEAREST, FARTHEST);
            bounds.iter().fold(reach, |reach, bound| reach.max(side * bound * 1.2))
        };
        let range = [-end(-1.0), end(1.0)];
        Self { scale: Scale::new(range, [MARGIN, WIDTH - MARGIN]) }
    }

    /// The ends of the scale, as logarithms.
    pub(super) fn ends(&self) -> String {
        [self.scale.low, self.scale.high].map(short).join(",")
    }

    /// The numbers above the plot.
    pub(super) fn axis(&self) -> String {
        let mut svg = "<svg aria-hidden=true><g class=a>".to_owned();
        for tick in ticks::changes([self.scale.low, self.scale.high], 5) {
            let _ = write!(svg, "<text x={} y=12>{}</text>", self.scale.place(tick.value), tick.text);
        }
        svg + "</g></svg>"
    }

    /// The lines behind every row, defined once.
    pub(super) fn grid(&self) -> String {
        let mut grid = String::new();
        for tick in ticks::changes([self.scale.low, self.scale.high], 5) {
            let _ = write!(grid, "M{} 0V{HEIGHT}", self.scale.place(tick.value));
        }
        let zero = self.scale.place(0.0);
        format!("<g id=grid><path class=g d=\"{grid}\"/><path class=o d=\"M{zero} 0V{HEIGHT}\"/></g>")
    }

    /// The row of a pair.
    pub(super) fn row(&self, pair: &PairRecord) -> String {
        let mut svg = "<svg>".to_owned();
        for [low, high] in zones(pair.gate.as_ref()) {
            let (left, right) = (self.scale.place(low), self.scale.place(high));
            let _ = write!(svg, "<rect class=z x={left} width={} />", (right - left).max(1));
        }
        svg += "<use href=#grid />";
        if let Some(Figures { outcome, ratio, interval, .. }) = pair.figures() {
            let low = interval.low.map_or(f64::NEG_INFINITY, f64::ln);
            let high = interval.high.map_or(f64::INFINITY, f64::ln);
            let (left, right) = (self.scale.place(low), self.scale.place(high));
            let _ = write!(svg, "<path class=w d=\"M{left} {MIDDLE}H{right}");
            if low < self.scale.low {
                let _ = write!(svg, "M{} {}l-5 5 5 5", left - 5, MIDDLE - 5);
            }
            if high > self.scale.high {
                let _ = write!(svg, "M{} {}l5 5-5 5", right + 5, MIDDLE - 5);
            }
            let at = self.scale.place(ratio.ln());
            let _ = write!(svg, "\"/><use href=#{} x={at} y={MIDDLE} />", outcome.name());
        }
        svg + "</svg>"
    }
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
        assert!(forest.axis().contains(">0 %</text>"));
    }
}
