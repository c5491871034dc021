//! Robust statistics: the middle and the spread of a sample, even if a few of its values are extreme.

mod location;

pub(crate) use location::Location;

/// The influence of a value stops growing at this many scales from the location (Huber 1964).
pub(crate) const CLIP: f64 = 1.5;

/// Turns the median absolute deviation into an estimate of a normal standard deviation.
const NORMAL: f64 = 1.4826;

/// The clipped distance of a value from a location, in scales.
pub(crate) fn score(value: f64, location: f64, scale: f64) -> f64 {
    ((value - location) / scale).clamp(-CLIP, CLIP)
}

/// The normalised median absolute deviation from the median (Hampel 1974); 0 for fewer than two values.
pub(crate) fn spread(values: &[f64]) -> f64 {
    let center = median_of(values);
    let deviations: Vec<f64> = values.iter().map(|value| (value - center).abs()).collect();
    NORMAL * median_of(&deviations)
}

/// The median: the midpoint of the two in the middle of an even number, and 0 if there are no values.
///
/// Raw times have a different median, [`median_time`](super::median_time), which explains why.
pub(crate) fn median_of(values: &[f64]) -> f64 {
    let (sorted, middle) = (sorted(values), values.len() / 2);
    let Some(&upper) = sorted.get(middle) else { return 0.0 };
    if sorted.len().is_multiple_of(2) { sorted[middle - 1].midpoint(upper) } else { upper }
}

/// These values in ascending order.
pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median_of(&[]), 0.0);
        assert_eq!(median_of(&[3.0]), 3.0);
        assert_eq!(median_of(&[3.0, 1.0]), 2.0);
        assert_eq!(median_of(&[5.0, 1.0, 3.0]), 3.0);
        assert_eq!(median_of(&[7.0, 1.0, 3.0, 4.0]), 3.5);
    }

    /// Values from an independent implementation in numpy.
    #[test]
    fn the_spread_of_known_contrasts() {
        let contrasts = [0.012, -0.004, 0.021, 0.007, 0.015, -0.009, 0.018, 0.011, 0.025, 0.003];
        assert!((spread(&contrasts) - 0.011_119_5).abs() < 1e-9);
        assert_eq!(spread(&[0.3]), 0.0);
        assert!((spread(&[0.3, 0.5]) - 0.148_26).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn a_shift_and_a_change_of_sign_keep_the_spread(values in vec(-10.0..10.0, 2..50), shift in -10.0..10.0) {
            let moved: Vec<f64> = values.iter().map(|value| shift - value).collect();
            prop_assert!((spread(&values) - spread(&moved)).abs() < 1e-9);
        }
    }
}
