//! The interval of delta that the bets on rounds leave.

use std::sync::Arc;

use super::design::{Design, Signs};
use crate::stats::Interval;

/// Every median against which the signs of these contrasts are not enough, each side at the error rate of the
/// design.
///
/// The bets are those of the gate and depend on signs and counts alone, so the evidence that the median lies
/// above a value falls with the value, and what is left is one interval. Its ends are contrasts, or infinite
/// where there are too few: the evidence changes nowhere else. A bound that a verdict is beyond is never
/// inside.
pub(super) fn interval(contrasts: &[f64], design: &Arc<Design>, rate: f64) -> Interval {
    let low = lower_end(contrasts, design);
    let mirrored: Vec<f64> = contrasts.iter().map(|contrast| -contrast).collect();
    let high = -lower_end(&mirrored, design);
    Interval { level: 1.0 - 2.0 * rate, low, high }
}

/// The largest value such that the median is proven to be no less; minus infinity where there is none.
fn lower_end(contrasts: &[f64], design: &Arc<Design>) -> f64 {
    let mut ends = contrasts.to_vec();
    ends.sort_by(f64::total_cmp);
    let is_proven = |end: &f64| Signs::of(design, contrasts.iter().map(|contrast| contrast >= end)).decides();
    let proven = ends.partition_point(is_proven);
    proven.checked_sub(1).map_or(f64::NEG_INFINITY, |last| ends[last])
}
