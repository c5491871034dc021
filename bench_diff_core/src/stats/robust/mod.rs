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
    let center = median(&mut values.to_vec());
    let mut deviations: Vec<f64> = values.iter().map(|value| (value - center).abs()).collect();
    NORMAL * median(&mut deviations)
}

/// The median: the midpoint of the two in the middle of an even number, and 0 if there are no values.
///
/// Raw times have a different median, [`median_time`](super::median_time), which explains why.
pub(crate) fn median_of(values: &[f64]) -> f64 {
    median(&mut values.to_vec())
}

/// The median, which reorders the values; 0 if there are none.
fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    if values.is_empty() {
        return 0.0;
    }
    let even = values.len().is_multiple_of(2);
    let (lower, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if even { lower.iter().copied().fold(f64::NEG_INFINITY, f64::max).midpoint(upper) } else { upper }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&mut []), 0.0);
        assert_eq!(median(&mut [3.0]), 3.0);
        assert_eq!(median(&mut [3.0, 1.0]), 2.0);
        assert_eq!(median(&mut [5.0, 1.0, 3.0]), 3.0);
        assert_eq!(median(&mut [7.0, 1.0, 3.0, 4.0]), 3.5);
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
