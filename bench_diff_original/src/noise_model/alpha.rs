//! alpha(t): the part of the noise that time determines.

use std::f64::consts::TAU;
use std::fmt;

/// alpha(t): by how much everything on the machine is slower at a time, with its bounds.
pub struct Alpha {
    function: Box<dyn Fn(f64) -> f64>,
    lower: f64,
    upper: f64,
    slope: f64,
}

impl Alpha {
    /// A function of the time in milliseconds, which the caller knows to stay between `lower` (A_L) and
    /// `upper` (A_U) and to change by no more than `slope` (A_D) in a millisecond.
    ///
    /// # Panics
    ///
    /// If these are not 0 < `lower` <= `upper` and `slope` >= 0, all finite.
    #[must_use]
    pub fn new(function: impl Fn(f64) -> f64 + 'static, lower: f64, upper: f64, slope: f64) -> Self {
        assert!(
            0.0 < lower && lower <= upper && upper.is_finite() && slope >= 0.0 && slope.is_finite(),
            "no bounds of alpha: from {lower} to {upper}, with a slope of up to {slope}"
        );
        Self { function: Box::new(function), lower, upper, slope }
    }

    /// A machine that is always the same.
    #[must_use]
    pub fn constant() -> Self {
        Self::new(|_| 1.0, 1.0, 1.0, 0.0)
    }

    /// `mean + amplitude sin(2 pi t / period)`, the period in milliseconds.
    ///
    /// # Panics
    ///
    /// If `mean` is not above the absolute `amplitude`, or `period` not above 0.
    #[must_use]
    pub fn sinusoid(mean: f64, amplitude: f64, period: f64) -> Self {
        assert!(period > 0.0, "a period of {period} ms");
        let (angular, swing) = (TAU / period, amplitude.abs());
        let function = move |time: f64| mean + amplitude * (angular * time).sin();
        Self::new(function, mean - swing, mean + swing, swing * angular)
    }

    /// alpha at this time, in milliseconds since the first execution that counts.
    #[must_use]
    pub fn at(&self, time: f64) -> f64 {
        (self.function)(time)
    }

    /// A_L: the lowest value.
    #[must_use]
    pub fn lower(&self) -> f64 {
        self.lower
    }

    /// A_U: the highest value.
    #[must_use]
    pub fn upper(&self) -> f64 {
        self.upper
    }

    /// A_D: the steepest slope, per millisecond.
    #[must_use]
    pub fn slope(&self) -> f64 {
        self.slope
    }
}

impl fmt::Debug for Alpha {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lower, upper, slope, .. } = self;
        f.debug_struct("Alpha")
            .field("lower", lower)
            .field("upper", upper)
            .field("slope", slope)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;
    use std::panic::catch_unwind;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_alpha_of_the_example_has_the_bounds_of_the_text() {
        let alpha = Alpha::sinusoid(1.5, 0.5, 60_000.0);
        assert_eq!((alpha.lower(), alpha.upper()), (1.0, 2.0));
        assert!((alpha.slope() - PI / 60_000.0).abs() < 1e-18);
        assert_eq!(alpha.at(0.0), 1.5);
        assert!((alpha.at(15_000.0) - 2.0).abs() < 1e-12 && (alpha.at(45_000.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn bounds_that_are_none_are_refused() {
        for (lower, upper, slope) in [
            (0.0, 1.0, 0.0),
            (2.0, 1.0, 0.0),
            (1.0, f64::INFINITY, 0.0),
            (1.0, 2.0, -1.0),
            (f64::NAN, 1.0, 0.0),
        ] {
            assert!(catch_unwind(|| Alpha::new(|_| 1.0, lower, upper, slope)).is_err(), "{lower} {upper}");
        }
        assert!(catch_unwind(|| Alpha::sinusoid(0.5, 0.5, 1.0)).is_err(), "it touches 0");
        assert!(catch_unwind(|| Alpha::sinusoid(1.5, 0.5, 0.0)).is_err());
    }

    proptest! {
        #[test]
        fn a_sinusoid_keeps_its_bounds(
            mean in 1.0..10.0, share in -0.9..0.9, period in 1.0..1e5, time in 0.0..1e6, step in 1e-3..1.0,
        ) {
            let alpha = Alpha::sinusoid(mean, mean * share, period);
            let (now, then) = (alpha.at(time), alpha.at(time + step));
            prop_assert!(alpha.lower() <= now + 1e-9 && now <= alpha.upper() + 1e-9);
            prop_assert!((then - now).abs() <= alpha.slope() * step + 1e-6);
        }
    }
}
