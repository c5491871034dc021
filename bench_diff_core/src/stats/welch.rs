//! Welch's t-test of the difference of two means.

use super::{Interval, Moments, t_quantile_upper, t_upper_tail};

/// Welch's test of the difference of two means, candidate minus baseline, with unequal variances (Welch 1947,
/// "The generalization of 'Student's' problem when several different population variances are involved",
/// Biometrika 34).
///
/// Differences are in the unit of the observations. If those are logarithms, so is every difference here, and
/// [`Interval::exp`] turns it into a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WelchTest {
    difference: f64,
    standard_error: f64,
    df: f64,
}

impl WelchTest {
    /// Prepares the test of `candidate` against `baseline`.
    ///
    /// Both standard deviations are at least `stdev_floor`, the resolution of the observations, in their
    /// unit. Equal observations are ordinary data: their spread is below the resolution, but not zero.
    ///
    /// # Panics
    ///
    /// If the square of `stdev_floor` is not a positive finite number, or if `stdev_floor` is negative.
    pub fn new(candidate: &Moments, baseline: &Moments, stdev_floor: f64) -> Self {
        let variance_floor = stdev_floor * stdev_floor;
        assert!(
            stdev_floor > 0.0 && variance_floor > 0.0 && variance_floor.is_finite(),
            "the floor of the standard deviation must be positive and finite: {stdev_floor}"
        );
        let squared_error = |side: &Moments| side.variance().max(variance_floor) / side.n() as f64;
        let (of_candidate, of_baseline) = (squared_error(candidate), squared_error(baseline));
        let total = of_candidate + of_baseline;

        Self {
            difference: candidate.mean() - baseline.mean(),
            standard_error: total.sqrt(),
            df: welch_satterthwaite(
                (of_candidate / total, candidate.n()),
                (of_baseline / total, baseline.n()),
            ),
        }
    }

    /// Student's test of the mean of paired differences (Student 1908, "The probable error of a mean"), with
    /// n - 1 degrees of freedom.
    ///
    /// Their standard deviation counts as at least `stdev_floor`, in their unit, which has to be above 0:
    /// with 0 and equal differences, t is infinite or NaN.
    pub fn paired(differences: &Moments, stdev_floor: f64) -> Self {
        let n = differences.n() as f64;
        let standard_error = differences.stdev().max(stdev_floor) / n.sqrt();
        Self { difference: differences.mean(), standard_error, df: n - 1.0 }
    }

    /// The mean of the candidate minus the mean of the baseline.
    pub fn difference(&self) -> f64 {
        self.difference
    }

    /// The standard error of the [`difference`](Self::difference), always positive.
    pub fn standard_error(&self) -> f64 {
        self.standard_error
    }

    /// The degrees of freedom of Welch and Satterthwaite, a fraction between the degrees of freedom of the
    /// smaller sample and those of both together (Satterthwaite 1946, "An approximate distribution of
    /// estimates of variance components", Biometrics Bulletin 2).
    pub fn df(&self) -> f64 {
        self.df
    }

    /// The t statistic against no difference.
    pub fn t(&self) -> f64 {
        self.difference / self.standard_error
    }

    /// The one-sided p-value for the alternative that the difference is greater than `delta`; NaN if `delta`
    /// is.
    pub fn p_greater(&self, delta: f64) -> f64 {
        t_upper_tail((self.difference - delta) / self.standard_error, self.df)
    }

    /// The one-sided p-value for the alternative that the difference is less than `delta`; NaN if `delta` is.
    pub fn p_less(&self, delta: f64) -> f64 {
        t_upper_tail(-(self.difference - delta) / self.standard_error, self.df)
    }

    /// The two-sided p-value for the alternative that there is a difference.
    pub fn p_two_sided(&self) -> f64 {
        2.0 * t_upper_tail(self.t().abs(), self.df)
    }

    /// The two-sided confidence interval of the difference at confidence `level`, such as 0.95.
    ///
    /// Both ends are NaN if `level` is not strictly between 0 and 1.
    pub fn interval(&self, level: f64) -> Interval {
        let tail = if level > 0.0 { (1.0 - level) / 2.0 } else { f64::NAN };
        let margin = self.standard_error * t_quantile_upper(tail, self.df);
        Interval { level, low: self.difference - margin, high: self.difference + margin }
    }

    /// The smallest true difference that, with as many observations of the same spread, is found to be
    /// greater than `delta`, at the one-sided level `alpha`, with probability `1 - beta`.
    ///
    /// This is the sum of two quantiles times the standard error (Bloom 1995, "Minimum Detectable Effects").
    /// It uses the observed standard error, and a central t distribution instead of the noncentral one. NaN
    /// if `alpha` or `beta` is not strictly between 0 and 1.
    pub fn detectable(&self, delta: f64, alpha: f64, beta: f64) -> f64 {
        delta + self.standard_error * (t_quantile_upper(alpha, self.df) + t_quantile_upper(beta, self.df))
    }
}

/// Each side is given by its share of the squared standard error and its size. Shares neither overflow nor
/// vanish.
fn welch_satterthwaite((share, n): (f64, usize), (other_share, other_n): (f64, usize)) -> f64 {
    let per_df = |share: f64, n: usize| share * share / (n as f64 - 1.0);
    1.0 / (per_df(share, n) + per_df(other_share, other_n))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{Moments, WelchTest};

    const FLOOR: f64 = 1e-9;

    fn welch(candidate: &[f64], baseline: &[f64]) -> WelchTest {
        WelchTest::new(&Moments::of(candidate).unwrap(), &Moments::of(baseline).unwrap(), FLOOR)
    }

    fn assert_near(actual: f64, expected: f64, tolerance: f64) {
        assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected}");
    }

    /// The output of R for `t.test(extra ~ group, data = sleep)`, with the data of Cushny & Peebles that
    /// Student used (1908).
    #[test]
    fn r_sleep() {
        let test = welch(
            &[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
            &[1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
        );
        assert_near(test.t(), -1.8608, 5e-5);
        assert_near(test.df(), 17.776, 5e-4);
        assert_near(test.p_two_sided(), 0.07939, 5e-6);
        assert_near(test.difference(), 0.75 - 2.33, 1e-14);
        let interval = test.interval(0.95);
        assert_eq!(interval.level, 0.95);
        assert_near(interval.low, -3.365_483_2, 5e-8);
        assert_near(interval.high, 0.205_483_2, 5e-8);
    }

    /// SciPy 1.17.1: `ttest_ind(candidate, baseline, equal_var=False, alternative=...)`, its
    /// `confidence_interval`, and the same after subtracting 0.5 from every value of the candidate. The last
    /// value is from `stats.t.isf`.
    #[test]
    fn scipy_very_unequal_sides() {
        let candidate: Vec<f64> = (0..40).map(|i| 10.0 + 0.01 * f64::from(7 * i % 40)).collect();
        let test = welch(&candidate, &[9.1, 12.4, 8.7, 10.9, 9.6]);

        assert_near(test.t(), 0.081_364_003_306_430_1, 1e-12);
        assert_near(test.df(), 4.005_988_285_028_37, 1e-12);
        assert_near(test.standard_error(), 0.675_974_605_045_682_9, 1e-12);
        assert_near(test.p_two_sided(), 0.939_055_454_757_206_8, 1e-12);
        assert_near(test.p_greater(0.0), 0.469_527_727_378_603_4, 1e-12);
        assert_near(test.p_less(0.0), 0.530_472_272_621_396_6, 1e-12);

        assert_near(test.p_greater(0.5), 0.726_874_477_124_897_4, 1e-12);
        assert_near(test.p_less(0.5), 0.273_125_522_875_102_67, 1e-12);

        let ninety = test.interval(0.90);
        assert_near(ninety.low, -1.385_455_575_150_833_5, 1e-11);
        assert_near(ninety.high, 1.495_455_575_150_832, 1e-11);
        let ninety_nine = test.interval(0.99);
        assert_near(ninety_nine.low, -3.054_076_673_798_161_5, 1e-11);
        assert_near(ninety_nine.high, 3.164_076_673_798_161, 1e-11);

        assert_near(test.detectable(0.5, 0.01, 0.1), 4.066_859_712_684_92, 1e-11);
    }

    #[test]
    fn equal_observations_have_the_spread_of_the_floor() {
        let same = welch(&[5.0; 8], &[5.0; 8]);
        assert_eq!((same.difference(), same.t()), (0.0, 0.0));
        assert_near(same.standard_error(), FLOOR / 2.0, 1e-24);
        assert_near(same.df(), 14.0, 1e-12);
        assert_eq!((same.p_two_sided(), same.p_greater(0.0), same.p_less(0.0)), (1.0, 0.5, 0.5));

        let slower = welch(&[5.1; 8], &[5.0; 8]);
        assert!(slower.t().is_finite() && slower.p_greater(0.0) < 1e-30);
        assert!(slower.p_less(0.0) > 0.999_999);
    }

    #[test]
    fn one_constant_side_leaves_the_degrees_of_freedom_of_the_other() {
        let test = welch(&[5.0; 8], &[1.0, 2.0, 3.0, 4.0]);
        assert_near(test.df(), 3.0, 1e-12);
        assert_near(test.standard_error(), (5.0_f64 / 12.0).sqrt(), 1e-15);
    }

    #[test]
    fn a_wider_floor_makes_the_test_more_cautious() {
        let candidate = Moments::of(&[1.0, 1.001, 1.002]).unwrap();
        let baseline = Moments::of(&[0.9, 0.901, 0.902]).unwrap();
        let p = |floor| WelchTest::new(&candidate, &baseline, floor).p_greater(0.0);
        assert!(p(1e-6) < p(0.01) && p(0.01) < p(0.1));
        assert_eq!(p(1e-6), p(1e-9));
    }

    #[test]
    fn tiny_and_huge_scales_keep_the_degrees_of_freedom() {
        let sides = |scale: f64| {
            let side = |values: [f64; 4]| Moments::of(&values.map(|value| value * scale)).unwrap();
            (side([1.0, 2.0, 3.0, 4.0]), side([2.0, 2.1, 2.2, 2.4]))
        };
        for scale in [1e-140, 1.0, 1e140] {
            let (candidate, baseline) = sides(scale);
            let test = WelchTest::new(&candidate, &baseline, scale * 1e-6);
            assert_near(test.df(), 3.104_967_853_594_8, 1e-9);
        }
    }

    #[test]
    fn a_floor_that_cannot_be_a_spread_is_refused() {
        let side = Moments::of(&[1.0, 2.0]).unwrap();
        for floor in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-200, 1e200] {
            let outcome = std::panic::catch_unwind(|| WelchTest::new(&side, &side, floor));
            assert!(outcome.is_err(), "{floor}");
        }
    }

    #[test]
    fn arguments_out_of_range_give_nan() {
        let test = welch(&[1.0, 2.0, 3.0], &[1.0, 2.0, 4.0]);
        for level in [0.0, 1.0, -0.5, 1.5, f64::NAN] {
            assert!(test.interval(level).low.is_nan() && test.interval(level).high.is_nan(), "{level}");
        }
        assert!(test.detectable(0.0, 0.0, 0.1).is_nan());
        assert!(test.detectable(0.0, 0.1, 1.0).is_nan());
        assert!(test.p_greater(f64::NAN).is_nan());
        assert_eq!((test.p_greater(f64::INFINITY), test.p_less(f64::INFINITY)), (1.0, 0.0));
    }

    fn sample() -> impl Strategy<Value = Vec<f64>> {
        vec(-100.0..100.0, 2..30)
    }

    proptest! {
        #[test]
        fn swapped_sides_mirror_the_test(candidate in sample(), baseline in sample(), delta in -50.0..50.0) {
            let (test, mirror) = (welch(&candidate, &baseline), welch(&baseline, &candidate));
            prop_assert_eq!(test.t(), -mirror.t());
            prop_assert_eq!(test.p_greater(delta), mirror.p_less(-delta));
            prop_assert_eq!(test.p_two_sided(), mirror.p_two_sided());
            prop_assert_eq!(test.interval(0.9).low, -mirror.interval(0.9).high);
        }

        #[test]
        fn a_shift_of_the_candidate_is_a_shift_of_the_difference(
            candidate in sample(), baseline in sample(), shift in -50.0..50.0_f64,
        ) {
            let shifted: Vec<f64> = candidate.iter().map(|value| value + shift).collect();
            let (before, after) = (welch(&candidate, &baseline), welch(&shifted, &baseline));
            prop_assert!((after.difference() - before.difference() - shift).abs() < 1e-11);
            prop_assert!((after.p_greater(shift) - before.p_greater(0.0)).abs() < 1e-6);
        }

        #[test]
        fn p_rises_with_the_margin(
            candidate in sample(), baseline in sample(), delta in -50.0..50.0, more in 0.01..50.0,
        ) {
            let test = welch(&candidate, &baseline);
            prop_assert!(test.p_greater(delta + more) >= test.p_greater(delta));
            prop_assert!(test.p_less(delta + more) <= test.p_less(delta));
        }

        #[test]
        fn df_is_between_the_smaller_side_and_both(candidate in sample(), baseline in sample()) {
            let df = welch(&candidate, &baseline).df();
            let smaller = candidate.len().min(baseline.len()) as f64 - 1.0;
            let both = (candidate.len() + baseline.len()) as f64 - 2.0;
            prop_assert!(df >= smaller * (1.0 - 1e-12) && df <= both * (1.0 + 1e-12));
        }

        #[test]
        fn the_interval_inverts_the_test(candidate in sample(), baseline in sample(), level in 0.5..0.999) {
            let test = welch(&candidate, &baseline);
            let interval = test.interval(level);
            let tail = (1.0 - level) / 2.0;
            prop_assert!((test.p_greater(interval.low) - tail).abs() < 1e-9);
            prop_assert!((test.p_less(interval.high) - tail).abs() < 1e-9);
        }
    }
}
