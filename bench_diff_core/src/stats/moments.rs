//! Size, mean and variance of a sample.

use super::StatsError;

/// Size, mean and variance of a sample of at least two finite values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    n: usize,
    mean: f64,
    variance: f64,
}

impl Moments {
    /// Computes the moments of `values` with the corrected two-pass algorithm (Chan, Golub & LeVeque 1983,
    /// "Algorithms for Computing the Sample Variance", The American Statistician 37).
    ///
    /// It forms no sum of raw squares, so a spread far below the mean survives, and equal values have a
    /// variance of exactly zero.
    ///
    /// # Errors
    ///
    /// [`StatsError::TooFew`] for fewer than two values, [`StatsError::NotFinite`] if a value is NaN or
    /// infinite or if the mean or the variance overflows.
    pub fn of(values: &[f64]) -> Result<Self, StatsError> {
        let n = values.len();
        let Some(first) = values.first().filter(|_| n >= 2) else {
            return Err(StatsError::TooFew { n, needed: 2 });
        };
        let count = n as f64;

        // Distances from a value of the sample have small sums, which are exactly zero if all values are
        // equal.
        let pilot = first + values.iter().map(|value| value - first).sum::<f64>() / count;

        let (mut sum, mut sum_of_squares) = (0.0, 0.0);
        for value in values {
            let deviation = value - pilot;
            sum += deviation;
            sum_of_squares += deviation * deviation;
        }
        let mean = pilot + sum / count;
        let variance = ((sum_of_squares - sum * sum / count) / (count - 1.0)).max(0.0);

        // A NaN or an infinity anywhere in the sample reaches `mean`.
        if mean.is_finite() && variance.is_finite() {
            Ok(Self { n, mean, variance })
        } else {
            Err(StatsError::NotFinite)
        }
    }

    /// The number of values, at least 2.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The arithmetic mean, in the unit of the values.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The unbiased sample variance (denominator `n - 1`), in the squared unit of the values; never negative.
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// The sample standard deviation, the square root of [`variance`](Self::variance).
    pub fn stdev(&self) -> f64 {
        self.variance.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{Moments, StatsError};

    /// `first`, then `low` and `high` alternating, 1001 values in all: the shape of NIST's NumAcc2 to 4.
    fn alternating(first: f64, low: f64, high: f64) -> Vec<f64> {
        let turns = [low, high].into_iter().cycle().take(1000);
        std::iter::once(first).chain(turns).collect()
    }

    fn assert_relative(actual: f64, expected: f64, tolerance: f64) {
        let error = (actual - expected).abs() / expected.abs();
        assert!(error <= tolerance, "{actual} is not {expected}: relative error {error:e}");
    }

    /// Certified values of the NIST Statistical Reference Datasets, univariate summary statistics.
    ///
    /// The decimal data are not exact in binary. This alone changes the deviation of NumAcc4 by 5.6e-9.
    #[test]
    fn nist_certified_values() {
        let cases = [
            ("NumAcc1", vec![10_000_001.0, 10_000_003.0, 10_000_002.0], 10_000_002.0, 1.0, 0.0),
            ("NumAcc2", alternating(1.2, 1.1, 1.3), 1.2, 0.1, 1e-14),
            ("NumAcc3", alternating(1_000_000.2, 1_000_000.1, 1_000_000.3), 1_000_000.2, 0.1, 1e-9),
            ("NumAcc4", alternating(10_000_000.2, 10_000_000.1, 10_000_000.3), 10_000_000.2, 0.1, 6e-9),
        ];
        for (name, values, mean, stdev, tolerance) in cases {
            let moments = Moments::of(&values).unwrap();
            assert_eq!(moments.n(), values.len(), "{name}");
            assert_relative(moments.mean(), mean, 1e-15);
            assert_relative(moments.stdev(), stdev, tolerance);
        }
    }

    #[test]
    fn equal_values_have_no_variance() {
        for value in [0.1, 9.9, -7.3e-5, 1e9 / 3.0, 0.0] {
            let moments = Moments::of(&[value; 12_345]).unwrap();
            assert_eq!((moments.mean(), moments.variance()), (value, 0.0));
        }
    }

    /// The spacing of doubles near 9.9 is 1.8e-15, so rounding alone changes an offset of 1e-8 by up to 9e-8
    /// of it.
    #[test]
    fn a_tiny_spread_survives_a_large_mean() {
        let values: Vec<f64> = (0..1000).map(|i| if i % 2 == 0 { 9.9 - 1e-8 } else { 9.9 + 1e-8 }).collect();
        let moments = Moments::of(&values).unwrap();
        assert_relative(moments.mean(), 9.9, 1e-15);
        assert_relative(moments.stdev(), 1e-8 * (1000.0_f64 / 999.0).sqrt(), 1e-7);
    }

    #[test]
    fn an_outlier_in_front_does_not_spoil_the_mean() {
        let mut values = vec![0.1; 1000];
        values[0] = 1e12;
        assert_relative(Moments::of(&values).unwrap().mean(), (1e12 + 99.9) / 1000.0, 1e-13);
    }

    #[test]
    fn too_few_values_are_an_error() {
        assert_eq!(Moments::of(&[]), Err(StatsError::TooFew { n: 0, needed: 2 }));
        assert_eq!(Moments::of(&[1.0]), Err(StatsError::TooFew { n: 1, needed: 2 }));
        assert_eq!(Moments::of(&[f64::NAN]), Err(StatsError::TooFew { n: 1, needed: 2 }));
    }

    #[test]
    fn values_that_are_not_finite_are_an_error() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for place in 0..3 {
                let mut values = [1.0, 2.0, 3.0];
                values[place] = bad;
                assert_eq!(Moments::of(&values), Err(StatsError::NotFinite), "{bad} at {place}");
            }
        }
        assert_eq!(Moments::of(&[f64::INFINITY; 2]), Err(StatsError::NotFinite));
        assert_eq!(Moments::of(&[f64::MAX, -f64::MAX]), Err(StatsError::NotFinite), "the variance overflows");
    }

    proptest! {
        #[test]
        fn variance_is_never_negative_and_the_mean_is_inside(values in vec(-1e6..1e6, 2..200)) {
            let moments = Moments::of(&values).unwrap();
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(moments.variance() >= 0.0);
            prop_assert!(low - 1e-9 <= moments.mean() && moments.mean() <= high + 1e-9);
        }

        #[test]
        fn a_shift_keeps_the_variance(values in vec(-10.0..10.0, 2..200), shift in -1e3..1e3_f64) {
            let shifted: Vec<f64> = values.iter().map(|value| value + shift).collect();
            let (before, after) = (Moments::of(&values).unwrap(), Moments::of(&shifted).unwrap());
            prop_assert!((after.mean() - before.mean() - shift).abs() < 1e-11);
            prop_assert!((after.variance() - before.variance()).abs() < 1e-9);
        }

        #[test]
        fn order_does_not_matter(values in vec(-10.0..10.0, 2..200).prop_shuffle()) {
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let (one, other) = (Moments::of(&values).unwrap(), Moments::of(&sorted).unwrap());
            prop_assert!((one.mean() - other.mean()).abs() < 1e-13);
            prop_assert!((one.variance() - other.variance()).abs() < 1e-12);
        }
    }
}
