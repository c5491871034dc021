//! The interval of delta that the bets on rounds do not exclude.

use super::design::Design;
use crate::stats::Interval;
use crate::stats::robust::{median_of, sorted};

/// All medians that the signs of these contrasts do not exclude, at the error rate of the design on each
/// side; without limits if there are too few rounds.
///
/// The bets are those of the gate, but asked after the last round only. They could also exclude what they
/// excluded on the way (Ville 1939), which would leave no value if the first rounds lay above the later ones.
pub(super) fn interval(contrasts: &[f64], design: &Design, rate: f64) -> Interval {
    let sorted = sorted(contrasts);
    let (low, high) = match design.signs_that_decide(sorted.len()) {
        Some(signs) => (sorted[sorted.len() - signs], sorted[signs - 1]),
        None => (f64::NEG_INFINITY, f64::INFINITY),
    };
    Interval { level: 1.0 - 2.0 * rate, low, high }
}

/// The median of the contrasts, for which the evidence in both directions is equal. If a verdict has limited
/// the interval to values beside the median, its middle, or its end if there is only one.
pub(super) fn estimate(contrasts: &[f64], Interval { low, high, .. }: Interval) -> f64 {
    let (median, middle) = (median_of(contrasts), f64::midpoint(low, high));
    let is_beside = median < low || high < median;
    if is_beside && middle.is_finite() { middle } else { median.clamp(low, high) }
}
