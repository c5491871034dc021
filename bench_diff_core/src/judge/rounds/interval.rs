//! The interval of delta that the bets on rounds do not exclude.

use std::sync::Arc;

use super::design::{Design, Signs};
use crate::stats::Interval;

/// All medians that the signs of these contrasts do not exclude, at the error rate of the design on each
/// side.
///
/// The bets are those of the gate and depend on signs and counts alone. So the evidence that the median lies
/// above a value decreases with the value, and the remaining values are one interval. The evidence changes
/// only at contrasts, so the ends are contrasts, or infinite if there are too few rounds. A bound for which a
/// verdict was reached is never inside.
pub(super) fn interval(contrasts: &[f64], design: &Arc<Design>, rate: f64) -> Interval {
    let low = lower_end(contrasts, design);
    let mirrored: Vec<f64> = contrasts.iter().map(|contrast| -contrast).collect();
    let high = -lower_end(&mirrored, design);
    Interval { level: 1.0 - 2.0 * rate, low, high }
}

/// The largest value for which the median is proven not to be less; minus infinity if there is none.
fn lower_end(contrasts: &[f64], design: &Arc<Design>) -> f64 {
    let mut ends = contrasts.to_vec();
    ends.sort_by(f64::total_cmp);
    let is_proven = |end: &f64| Signs::of(design, contrasts.iter().map(|contrast| contrast >= end)).decides();
    let proven = ends.partition_point(is_proven);
    proven.checked_sub(1).map_or(f64::NEG_INFINITY, |last| ends[last])
}
