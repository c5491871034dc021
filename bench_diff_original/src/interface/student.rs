//! Student's paired t-test of a comparison.

use bench_diff_core::stats::{StatsError, WelchTest};

use super::DiffOut;
use super::stats_types::{AltHyp, Ci, HypTestResult, PositionWrtCi};

/// Student's one-sample t-test on the differences of paired logarithms (Student 1908), kept for programs that
/// use it.
///
/// It takes the pairs for independent, which the two pairs of a duo are not: where the noise has a memory of
/// a few executions they resemble each other, and the test finds more than there is. The unit that may be
/// tested is the duo, not the pair.
impl DiffOut {
    /// Student's t statistic of the mean difference of paired logarithms.
    ///
    /// NaN for fewer than 2 executions, or if a latency is zero. The same holds for the other figures here.
    #[deprecated(note = "use `welch_ln_t` instead")]
    pub fn student_diff_ln_t(&self) -> f64 {
        self.student().map_or(f64::NAN, |student| student.t())
    }

    /// The degrees of freedom of Student's t statistic: one fewer than executions.
    #[deprecated(note = "use `welch_ln_df` instead")]
    pub fn student_diff_ln_df(&self) -> f64 {
        self.student().map_or(f64::NAN, |student| student.df())
    }

    /// The confidence interval of the mean difference of paired logarithms, at the level 1 - `alpha`.
    ///
    /// Both ends are also NaN if `alpha` is not strictly between 0 and 1.
    #[deprecated(note = "use `welch_ln_ci` instead")]
    pub fn student_diff_ln_ci(&self, alpha: f64) -> Ci {
        Ci::of(self.student(), alpha)
    }

    /// The confidence interval of the ratio of the geometric means: `exp` of that of the mean difference of
    /// paired logarithms.
    #[deprecated(note = "use `welch_ratio_ci` instead")]
    #[expect(deprecated, reason = "one that stays for its users calls another one")]
    pub fn student_ratio_ci(&self, alpha: f64) -> Ci {
        let Ci(low, high) = self.student_diff_ln_ci(alpha);
        Ci(low.exp(), high.exp())
    }

    /// Returns the position of `value` with respect to Student's confidence interval of the ratio.
    ///
    /// # Panics
    ///
    /// If there is no such interval, or `value` is NaN.
    #[deprecated(note = "use `welch_value_position_wrt_ratio_ci` instead")]
    #[expect(deprecated, reason = "one that stays for its users calls another one")]
    pub fn student_value_position_wrt_ratio_ci(&self, value: f64, alpha: f64) -> PositionWrtCi {
        self.student_ratio_ci(alpha).position_of(value)
    }

    /// The test of a mean difference of 0 of paired logarithms, against this alternative at the level
    /// `alpha`.
    ///
    /// [`HypTestResult::accepted`] panics where there is no p-value or no such level.
    #[deprecated(note = "use `welch_ln_test` instead")]
    pub fn student_diff_ln_test(&self, alt_hyp: AltHyp, alpha: f64) -> HypTestResult {
        HypTestResult::of(self.student(), alt_hyp, alpha)
    }

    /// The test itself, of pairs: that of [`welch_ln`](Self::welch_ln) takes the samples for independent.
    fn student(&self) -> Result<WelchTest, StatsError> {
        // The difference of two logarithms has the floors of both.
        Ok(WelchTest::paired(&self.diff_ln.moments?, self.stdev_floor * 2.0_f64.sqrt()))
    }
}
