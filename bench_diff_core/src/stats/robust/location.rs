//! The location of values: their middle, and its precision.

use super::{CLIP, median_of, score, spread};
use crate::stats::t_quantile_upper;

/// More than enough: in data with a spread, each step at least halves the distance.
const MOST_STEPS: usize = 50;

/// Huber's M-estimate of location (Huber 1964, "Robust Estimation of a Location Parameter").
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Location {
    /// The estimate.
    pub(crate) center: f64,
    /// The standard deviation of one value as the estimate sees it: normal values with this deviation would
    /// give an estimate of the same precision.
    pub(crate) sigma: f64,
    n: usize,
    inside: usize,
}

impl Location {
    /// The location of at least one value. Their spread counts as at least `floor`.
    pub(crate) fn of(values: &[f64], floor: f64) -> Self {
        let n = values.len();
        let scale = spread(values).max(floor);
        let mut center = median_of(values);
        for _ in 0..MOST_STEPS {
            let mean_score = values.iter().map(|value| score(*value, center, scale)).sum::<f64>() / n as f64;
            center += scale * mean_score;
            if mean_score.abs() < f64::EPSILON {
                break;
            }
        }

        let scores = || values.iter().map(|value| score(*value, center, scale));
        let mean_square = scores().map(|score| score * score).sum::<f64>() / n as f64;
        let inside = scores().filter(|score| score.abs() < CLIP).count();
        // If there are only a few values, all of them may be clipped.
        let share_inside = inside.max(1) as f64 / n as f64;
        // No estimate is more precise than the floor allows.
        let sigma = (scale * mean_square.sqrt() / share_inside).max(floor);
        Self { center, sigma, n, inside }
    }

    /// The standard error of the estimate in a sample of this fixed size. The estimate is fitted to the
    /// values, so they lie closer to it than to the truth.
    pub(crate) fn standard_error(&self) -> f64 {
        self.sigma / (self.n.saturating_sub(1).max(1) as f64).sqrt()
    }

    /// The distance between the estimate, of at least two values, and a bound that leaves out this tail. It
    /// is Student's interval, since few values say little about their own spread, and a clipped value says
    /// nothing about that of the others.
    pub(crate) fn reach(&self, tail: f64) -> f64 {
        let df = self.inside.saturating_sub(1).max(1) as f64;
        t_quantile_upper(tail, df) * self.standard_error()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Values from an independent implementation in numpy.
    #[test]
    fn the_location_of_known_contrasts() {
        let contrasts = [0.012, -0.004, 0.021, 0.007, 0.015, -0.009, 0.018, 0.011, 0.025, 0.003];
        assert_eq!(median_of(&contrasts), 0.0115);
        let location = Location::of(&contrasts, 1e-5);
        assert!((location.center - 0.010_146_75).abs() < 1e-8, "{}", location.center);
        // One of ten is clipped: -.009.
        assert_eq!((location.inside, location.n), (9, 10));
    }

    #[test]
    fn an_outlier_pulls_no_more_than_other_values() {
        let mut values: Vec<f64> = (0..99).map(|i| f64::from(i) * 1e-4).collect();
        let clean = Location::of(&values, 1e-5);
        values.push(1e6);
        let spoilt = Location::of(&values, 1e-5);
        assert!((spoilt.center - clean.center).abs() < 1e-3);
        assert!(spoilt.sigma < 1.2 * clean.sigma);
    }

    #[test]
    fn equal_values_are_their_own_location() {
        let location = Location::of(&[0.3; 100], 1e-5);
        assert_eq!((location.center, location.inside), (0.3, 100));
        assert!((location.standard_error() - 1e-5 / 99_f64.sqrt()).abs() < 1e-18);
        assert_eq!(Location::of(&[0.3], 1e-5).center, 0.3);
    }

    #[test]
    fn two_values_have_their_midpoint_as_location() {
        let location = Location::of(&[0.1, 0.3], 1e-5);
        assert!((location.center - 0.2).abs() < 1e-12);
        // Their standard error is .1, and the quantile of one degree of freedom 12.7062.
        assert!((location.reach(0.025) - 1.270_62).abs() < 1e-5, "{}", location.reach(0.025));
    }

    #[test]
    fn clipped_values_do_not_count_as_degrees_of_freedom() {
        let values = |outlier| [-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3, outlier];
        let (near, far) = (Location::of(&values(0.4), 1e-5), Location::of(&values(9.0), 1e-5));
        let quantile = |location: &Location| location.reach(0.025) / location.standard_error();
        // For eight values, and for seven.
        assert_eq!((near.inside, far.inside), (8, 7));
        assert!((quantile(&near) - 2.364_62).abs() < 1e-4);
        assert!((quantile(&far) - 2.446_91).abs() < 1e-4);
    }

    proptest! {
        #[test]
        fn the_scores_around_the_location_cancel(values in vec(-1.0..1.0, 1..200)) {
            let location = Location::of(&values, 1e-3);
            let scale = spread(&values).max(1e-3);
            let sum: f64 = values.iter().map(|value| score(*value, location.center, scale)).sum();
            prop_assert!(sum.abs() < 1e-6, "{}", sum);
        }

        #[test]
        fn mirrored_values_have_the_mirrored_location(values in vec(-1.0..1.0, 1..200)) {
            let mirrored: Vec<f64> = values.iter().map(|value| -value).collect();
            let sum = Location::of(&values, 1e-3).center + Location::of(&mirrored, 1e-3).center;
            prop_assert!(sum.abs() < 1e-9);
        }
    }
}
