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

/// The value between the ends of this interval for which the evidence that the median is larger and the
/// evidence that it is smaller are equal.
pub(super) fn estimate(contrasts: &[f64], design: &Arc<Design>, Interval { low, high, .. }: Interval) -> f64 {
    let mut inside: Vec<f64> =
        contrasts.iter().copied().filter(|value| (low..=high).contains(value)).collect();
    inside.extend([low, high].into_iter().filter(|end| end.is_finite()));
    inside.sort_by(f64::total_cmp);
    inside.dedup();
    // Evidence changes at contrasts alone.
    let between: Vec<f64> = inside.windows(2).map(|ends| f64::midpoint(ends[0], ends[1])).collect();
    let evidence = |value: f64| {
        let signs = |is_positive: fn(f64, f64) -> bool| {
            Signs::of(design, contrasts.iter().map(|contrast| is_positive(*contrast, value))).ln_e()
        };
        signs(|contrast, value| contrast > value) - signs(|contrast, value| contrast < value)
    };
    let smaller = between.partition_point(|value| evidence(*value) > 0.0);
    match between.get(smaller) {
        Some(value) if smaller == 0 || evidence(*value) == 0.0 => *value,
        Some(_) => inside[smaller],
        None => between.last().copied().unwrap_or(inside[0]),
    }
}

/// The largest value for which the median is proven not to be less; minus infinity if there is none.
fn lower_end(contrasts: &[f64], design: &Arc<Design>) -> f64 {
    let mut ends = contrasts.to_vec();
    ends.sort_by(f64::total_cmp);
    let is_proven = |end: &f64| Signs::of(design, contrasts.iter().map(|contrast| contrast >= end)).decides();
    let proven = ends.partition_point(is_proven);
    proven.checked_sub(1).map_or(f64::NEG_INFINITY, |last| ends[last])
}
