//! Confidence intervals and hypothesis tests, as [`DiffOut`](crate::DiffOut) reports them.
//!
//! A number that cannot be computed is NaN, in an interval and as a p-value. What would decide something on
//! such a number panics instead, so that nothing unknown is ever taken for "no difference".

use std::fmt;

use bench_diff_core::stats::{StatsError, WelchTest, t_quantile_upper};

/// The alternative to the hypothesis of equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AltHyp {
    /// f1 is less than f2.
    Lt,
    /// f1 is greater than f2.
    Gt,
    /// The two are not equal.
    Ne,
}

/// A hypothesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hyp {
    /// The two are equal. A test that accepts it has found no difference, which does not show that there is
    /// none.
    Null,
    /// The alternative.
    Alt(AltHyp),
}

/// The result of a test of the hypothesis of equality.
#[derive(Clone, Copy, PartialEq)]
pub struct HypTestResult {
    p: f64,
    alpha: f64,
    alt_hyp: AltHyp,
}

impl HypTestResult {
    /// That of a test against this alternative, of p NaN where there is no test.
    pub(super) fn of(test: Result<WelchTest, StatsError>, alt_hyp: AltHyp, alpha: f64) -> Self {
        let p = test.map_or(f64::NAN, |test| match alt_hyp {
            AltHyp::Lt => test.p_less(0.0),
            AltHyp::Gt => test.p_greater(0.0),
            AltHyp::Ne => test.p_two_sided(),
        });
        Self::new(p, alpha, alt_hyp)
    }

    /// The result of a test with this p-value at the level `alpha`.
    #[must_use]
    pub fn new(p: f64, alpha: f64, alt_hyp: AltHyp) -> Self {
        Self { p, alpha, alt_hyp }
    }

    /// The p-value; NaN where there is none.
    #[must_use]
    pub fn p(&self) -> f64 {
        self.p
    }

    /// The level of the test: the probability of a false alternative.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The alternative of the test.
    #[must_use]
    pub fn alt_hyp(&self) -> AltHyp {
        self.alt_hyp
    }

    /// The hypothesis that the test accepts: the alternative where p is below alpha, else that of equality.
    ///
    /// # Panics
    ///
    /// If nothing can be accepted: p is NaN, or alpha is not strictly between 0 and 1. To return
    /// [`Hyp::Null`] would call two functions equal that were not compared.
    #[must_use]
    pub fn accepted(&self) -> Hyp {
        assert!(
            !self.p.is_nan(),
            "no hypothesis is accepted without a p-value: the sample is too small or holds a latency of zero"
        );
        let Self { alpha, .. } = *self;
        assert!(
            self.has_level(),
            "no hypothesis is accepted at an alpha of {alpha}, which is not strictly between 0 and 1"
        );
        self.decision()
    }

    fn has_level(&self) -> bool {
        0.0 < self.alpha && self.alpha < 1.0
    }

    fn decision(&self) -> Hyp {
        if self.p < self.alpha { Hyp::Alt(self.alt_hyp) } else { Hyp::Null }
    }
}

impl fmt::Debug for HypTestResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("HypTestResult");
        debug.field("p", &self.p).field("alpha", &self.alpha).field("alt_hyp", &self.alt_hyp);
        if self.p.is_nan() || !self.has_level() {
            debug.field("accepted", &format_args!("none"))
        } else {
            debug.field("accepted", &self.decision())
        }
        .finish()
    }
}

/// The position of a value with respect to a confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionWrtCi {
    /// The value is below the low end.
    Below,
    /// The value is inside, or at one of the ends.
    In,
    /// The value is above the high end.
    Above,
}

/// A confidence interval, from its low end to its high end; both are NaN where there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ci(
    /// The low end.
    pub f64,
    /// The high end.
    pub f64,
);

impl Ci {
    /// That of a test, by `alpha` rather than by the level 1 - `alpha`, in which a small one is lost; from
    /// NaN to NaN where there is no test.
    pub(super) fn of(test: Result<WelchTest, StatsError>, alpha: f64) -> Self {
        let Ok(test) = test else { return Self(f64::NAN, f64::NAN) };
        // An alpha of 1 or more would have a quantile, of a level that is none.
        let tail = if alpha < 1.0 { alpha / 2.0 } else { f64::NAN };
        let margin = test.standard_error() * t_quantile_upper(tail, test.df());
        Self(test.difference() - margin, test.difference() + margin)
    }

    /// Returns the position of `value`.
    ///
    /// # Panics
    ///
    /// If it has none: `value` or an end is NaN.
    #[must_use]
    pub fn position_of(&self, value: f64) -> PositionWrtCi {
        let Self(low, high) = *self;
        assert!(
            !(low.is_nan() || high.is_nan() || value.is_nan()),
            "{value} has no position in the interval from {low} to {high}: \
             the sample is too small, it holds a latency of zero, or the level is not strictly between 0 and 1"
        );
        if value < low {
            PositionWrtCi::Below
        } else if value <= high {
            PositionWrtCi::In
        } else {
            PositionWrtCi::Above
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn an_alternative_needs_a_p_below_alpha() {
        for alt_hyp in [AltHyp::Lt, AltHyp::Gt, AltHyp::Ne] {
            let accepted = |p| HypTestResult::new(p, 0.05, alt_hyp).accepted();
            assert_eq!([0.0, 0.049].map(accepted), [Hyp::Alt(alt_hyp); 2]);
            assert_eq!([0.05, 1.0].map(accepted), [Hyp::Null; 2]);
        }
    }

    #[test]
    fn a_test_that_could_not_be_made_accepts_nothing() {
        for (p, alpha) in [(f64::NAN, 0.05), (0.5, f64::NAN), (0.5, 0.0), (0.5, 1.0), (0.001, -1.0)] {
            let result = HypTestResult::new(p, alpha, AltHyp::Gt);
            assert!(catch_unwind(|| result.accepted()).is_err(), "{result:?}");
            assert!(format!("{result:?}").ends_with("accepted: none }"), "{result:?}");
        }
    }

    #[test]
    fn a_result_shows_what_it_accepts() {
        let result = HypTestResult::new(0.01, 0.05, AltHyp::Gt);
        assert_eq!(
            format!("{result:?}"),
            "HypTestResult { p: 0.01, alpha: 0.05, alt_hyp: Gt, accepted: Alt(Gt) }"
        );
    }

    #[test]
    fn a_value_lies_below_in_or_above() {
        let interval = Ci(1.0, 2.0);
        let positions = [0.9, 1.0, 1.5, 2.0, 2.1].map(|value| interval.position_of(value));
        use PositionWrtCi::{Above, Below, In};
        assert_eq!(positions, [Below, In, In, In, Above]);
    }

    #[test]
    fn nothing_lies_in_or_above_an_interval_that_is_none() {
        for (interval, value) in
            [(Ci(f64::NAN, f64::NAN), 1.0), (Ci(0.0, f64::NAN), 1.0), (Ci(0.0, 2.0), f64::NAN)]
        {
            assert!(catch_unwind(|| interval.position_of(value)).is_err(), "{value} in {interval:?}");
        }
    }
}
