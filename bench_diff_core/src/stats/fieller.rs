//! The ratio of two means, with the confidence interval of Fieller.

use super::{Interval, t_quantile_upper};

/// Two estimated means, of which the ratio is wanted.
///
/// All in one unit and its square; the variances are those of the means, not of the observations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanRatio {
    /// The mean above the line.
    pub numerator: f64,
    /// The mean below the line.
    pub denominator: f64,
    /// The variance of the upper mean.
    pub numerator_variance: f64,
    /// The variance of the lower mean.
    pub denominator_variance: f64,
    /// The covariance of the two means.
    pub covariance: f64,
}

impl MeanRatio {
    /// The numerator over the denominator.
    pub fn estimate(&self) -> f64 {
        self.numerator / self.denominator
    }

    /// The two-sided confidence interval of the ratio at confidence `level`, such as 0.95, with variances of
    /// `df` degrees of freedom (Fieller 1954, "Some problems in interval estimation", J. R. Stat. Soc. B 16).
    ///
    /// A ratio x is inside where `numerator - x denominator` does not differ from 0. Where the denominator
    /// does not differ from 0 itself, nothing bounds the ratio, and the interval is that of all numbers. Both
    /// ends are NaN if `level` is not strictly between 0 and 1, if `df` is below 1, or if a mean or a
    /// variance is NaN.
    pub fn interval(&self, level: f64, df: f64) -> Interval {
        let tail = if level > 0.0 { (1.0 - level) / 2.0 } else { f64::NAN };
        let squared_t = t_quantile_upper(tail, df).powi(2);
        // x is inside where a x^2 - 2 b x + c <= 0.
        let a = self.denominator.powi(2) - squared_t * self.denominator_variance;
        let b = self.numerator * self.denominator - squared_t * self.covariance;
        let c = self.numerator.powi(2) - squared_t * self.numerator_variance;
        if a <= 0.0 {
            return Interval { level, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        // Never negative but by rounding, since the estimate itself is inside.
        let root = (b * b - a * c).max(0.0).sqrt();
        let (low, high) = ((b - root) / a, (b + root) / a);
        Interval { level, low, high }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ratio(of: [f64; 5]) -> MeanRatio {
        let [numerator, denominator, numerator_variance, denominator_variance, covariance] = of;
        MeanRatio { numerator, denominator, numerator_variance, denominator_variance, covariance }
    }

    /// mpmath 1.4.1 at 40 digits: the roots in x of |numerator - x denominator| = t times its standard error,
    /// found by the secant method, with t from the incomplete beta function.
    #[test]
    fn intervals_agree_with_the_definition() {
        for (of, df, low, high) in [
            ([110.0, 100.0, 4.0, 3.0, 1.5], 12.0, 1.055_477_173_092_478, 1.146_234_265_407_61),
            ([5.0, 4.0, 1.0, 0.5, -0.2], 30.0, 0.634_184_429_461_267_1, 2.360_401_522_351_634),
            ([-2.0, 3.0, 0.3, 0.1, 0.05], 7.0, -1.271_494_713_988_255, -0.216_404_848_959_491_7),
            ([10.1, 10.0, 0.002, 0.002, 0.001_9], 319.0, 1.007_206_908_080_59, 1.012_802_382_497_343),
            ([1.0, 2.0, 0.1, 0.05, 0.0], 3.0, -0.003_190_223_096_885_834, 1.148_140_408_267_699),
        ] {
            let interval = ratio(of).interval(0.95, df);
            assert!((interval.low - low).abs() < 1e-9, "{} is not {low}", interval.low);
            assert!((interval.high - high).abs() < 1e-9, "{} is not {high}", interval.high);
        }
    }

    #[test]
    fn a_denominator_that_may_be_zero_bounds_nothing() {
        for denominator in [0.0, 0.1, -0.1] {
            let interval = ratio([1.0, denominator, 0.01, 0.01, 0.0]).interval(0.95, 30.0);
            assert_eq!((interval.low, interval.high), (f64::NEG_INFINITY, f64::INFINITY));
        }
    }

    #[test]
    fn without_variance_the_interval_is_the_estimate() {
        let exact = ratio([3.0, 2.0, 0.0, 0.0, 0.0]);
        let interval = exact.interval(0.95, 1.0);
        assert_eq!((interval.low, exact.estimate(), interval.high), (1.5, 1.5, 1.5));
    }

    #[test]
    fn what_is_no_number_has_no_interval() {
        let plain = [3.0, 2.0, 0.1, 0.1, 0.0];
        for (of, level, df) in [
            (plain, 0.0, 9.0),
            (plain, 1.0, 9.0),
            (plain, 0.95, 0.5),
            ([f64::NAN, 2.0, 0.1, 0.1, 0.0], 0.95, 9.0),
        ] {
            let interval = ratio(of).interval(level, df);
            assert!(interval.low.is_nan() && interval.high.is_nan(), "{of:?} {level} {df}");
        }
    }

    fn ratios() -> impl Strategy<Value = MeanRatio> {
        let means = (0.1..10.0, 0.1..10.0);
        (means, 1e-6..1.0, 1e-6..1.0, -0.99..0.99).prop_map(|((numerator, denominator), upper, lower, r)| {
            MeanRatio {
                numerator,
                denominator,
                numerator_variance: upper,
                denominator_variance: lower,
                covariance: r * f64::sqrt(upper * lower),
            }
        })
    }

    proptest! {
        #[test]
        fn the_estimate_is_inside(ratio in ratios(), df in 1.0..100.0) {
            let interval = ratio.interval(0.95, df);
            prop_assert!(interval.low <= ratio.estimate() && ratio.estimate() <= interval.high);
        }

        #[test]
        fn exchanging_the_means_inverts_the_interval(ratio in ratios(), df in 1.0..100.0) {
            let inverse = MeanRatio {
                numerator: ratio.denominator,
                denominator: ratio.numerator,
                numerator_variance: ratio.denominator_variance,
                denominator_variance: ratio.numerator_variance,
                covariance: ratio.covariance,
            };
            let (one, other) = (ratio.interval(0.95, df), inverse.interval(0.95, df));
            // An interval with 0 in it has no inverse, and next to that there is no precision.
            if one.low > 1e-3 && one.high < 1e3 {
                prop_assert!((one.low * other.high - 1.0).abs() < 1e-6, "{one:?} {other:?}");
                prop_assert!((one.high * other.low - 1.0).abs() < 1e-6, "{one:?} {other:?}");
            }
        }

        #[test]
        fn the_unit_does_not_matter(ratio in ratios(), factor in 1e-3..1e3) {
            let scaled = MeanRatio {
                numerator: factor * ratio.numerator,
                denominator: factor * ratio.denominator,
                numerator_variance: factor * factor * ratio.numerator_variance,
                denominator_variance: factor * factor * ratio.denominator_variance,
                covariance: factor * factor * ratio.covariance,
            };
            let (one, other) = (ratio.interval(0.95, 30.0), scaled.interval(0.95, 30.0));
            let near = |a: f64, b: f64| a == b || (a - b).abs() < 1e-6 * a.abs().max(1.0);
            // Next to the last ratio that is bounded, rounding alone decides which one is.
            prop_assume!(one.high.is_finite() == other.high.is_finite());
            prop_assert!(near(one.low, other.low) && near(one.high, other.high), "{one:?} {other:?}");
        }
    }
}
