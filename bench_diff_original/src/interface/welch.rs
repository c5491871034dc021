//! Welch's t-test of a comparison.

use bench_diff_core::stats::{StatsError, WelchTest};

use super::DiffOut;
use super::stats_types::{AltHyp, Ci, HypTestResult, PositionWrtCi};

/// Welch's t-test on the logarithms of the latencies (Welch 1947, Satterthwaite 1946).
///
/// It takes the executions for independent draws, and the two functions for independent samples. They are
/// neither: the noise of a machine comes in waves, which both functions of a duo ride together. A wave that
/// is long against a duo leaves the difference and inflates what the test takes for its noise, so that it
/// becomes cautious and misses differences that are there; noise with a period near that of a duo deflates
/// it, and the test becomes too bold, which the coin weakens and does not remove. And it knows no margin and
/// no stopping: with enough executions, any difference is significant.
/// [`measure()`](bench_diff_core::measure()) has none of these faults.
impl DiffOut {
    /// Welch's t statistic of the mean logarithm of f1 minus that of f2.
    ///
    /// NaN for fewer than 2 executions, or if a latency is zero. The same holds for the other figures here.
    pub fn welch_ln_t(&self) -> f64 {
        self.welch_ln().map_or(f64::NAN, |test| test.t())
    }

    /// The degrees of freedom of [`welch_ln_t`](Self::welch_ln_t), after Welch and Satterthwaite.
    pub fn welch_ln_df(&self) -> f64 {
        self.welch_ln().map_or(f64::NAN, |test| test.df())
    }

    /// The confidence interval of the difference of the mean logarithms, at the level 1 - `alpha`.
    ///
    /// Both ends are also NaN if `alpha` is not strictly between 0 and 1.
    pub fn welch_ln_ci(&self, alpha: f64) -> Ci {
        Ci::of(self.welch_ln(), alpha)
    }

    /// The confidence interval of the ratio of the geometric means, which of log-normal latencies is that of
    /// the medians: `exp` of [`welch_ln_ci`](Self::welch_ln_ci).
    pub fn welch_ratio_ci(&self, alpha: f64) -> Ci {
        let Ci(low, high) = self.welch_ln_ci(alpha);
        Ci(low.exp(), high.exp())
    }

    /// Returns the position of `value` with respect to [`welch_ratio_ci`](Self::welch_ratio_ci).
    ///
    /// # Panics
    ///
    /// If there is no such interval, or `value` is NaN.
    pub fn welch_value_position_wrt_ratio_ci(&self, value: f64, alpha: f64) -> PositionWrtCi {
        self.welch_ratio_ci(alpha).position_of(value)
    }

    /// The test of equal mean logarithms, which of log-normal latencies are equal medians, against this
    /// alternative at the level `alpha`.
    ///
    /// [`HypTestResult::accepted`] panics where there is no p-value or no such level.
    pub fn welch_ln_test(&self, alt_hyp: AltHyp, alpha: f64) -> HypTestResult {
        HypTestResult::of(self.welch_ln(), alt_hyp, alpha)
    }

    /// The test itself, with f1 as the candidate, or why there is none.
    ///
    /// # Errors
    ///
    /// [`StatsError::TooFew`] for fewer than 2 executions, [`StatsError::NotFinite`] where a latency is zero,
    /// which has no logarithm.
    pub fn welch_ln(&self) -> Result<WelchTest, StatsError> {
        Ok(WelchTest::new(&self.f1.ln.moments?, &self.f2.ln.moments?, self.stdev_floor))
    }
}
