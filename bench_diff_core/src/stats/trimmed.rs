//! Trimmed means, which a few wild values at either end do not move.

use super::StatsError;

/// A trimmed mean, with what its precision is computed from.
///
/// The same share of the values is left out at both ends. Its variance comes from the winsorised values,
/// those in which the ones left out are set to the nearest ones kept (Tukey & McLaughlin 1963, "Less
/// vulnerable confidence and significance procedures for location based on a single sample", Sankhya A 25).
///
/// It holds no values, of which there may be millions: they are given once more for a variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TrimmedMean {
    /// The mean of the values that are kept, in their unit.
    pub(crate) mean: f64,
    kept: usize,
    /// The smallest and the largest value that is kept.
    low: f64,
    high: f64,
    /// The mean of the winsorised values.
    center: f64,
}

impl TrimmedMean {
    /// The mean of at least two values without this share, below 1/2, of them at either end. Sorts the
    /// values.
    pub(crate) fn of(values: &mut [f64], share: f64) -> Result<Self, StatsError> {
        let n = values.len();
        let cut = (share * n as f64).floor() as usize;
        values.sort_unstable_by(f64::total_cmp);
        let &[low, .., high] = &values[cut..n - cut] else {
            return Err(StatsError::TooFew { n, needed: 2 });
        };
        let kept = n - 2 * cut;
        let sum = values[cut..n - cut].iter().sum::<f64>();
        let (mean, center) = (sum / kept as f64, (sum + cut as f64 * (low + high)) / n as f64);
        if mean.is_finite() && center.is_finite() {
            Ok(Self { mean, kept, low, high, center })
        } else {
            Err(StatsError::NotFinite)
        }
    }

    /// The variance of the mean of these values (Yuen 1974, "The two-sample trimmed t for unequal population
    /// variances", Biometrika 61).
    pub(crate) fn variance(&self, values: impl Iterator<Item = f64>) -> f64 {
        self.covariance(self, values.map(|value| (value, value)))
    }

    /// The covariance of this mean and that of the values which belong to these one by one (Wilcox 2012,
    /// "Introduction to Robust Estimation and Hypothesis Testing").
    pub(crate) fn covariance(&self, other: &Self, values: impl Iterator<Item = (f64, f64)>) -> f64 {
        let kept = self.kept as f64;
        let products = values.map(|(one, others)| self.deviation(one) * other.deviation(others));
        products.sum::<f64>() / (kept * (kept - 1.0))
    }

    /// The distance of a winsorised value from the mean of all of them.
    fn deviation(&self, value: f64) -> f64 {
        value.clamp(self.low, self.high) - self.center
    }

    /// The degrees of freedom of the variance: one less than the values that are kept.
    pub(crate) fn df(&self) -> f64 {
        (self.kept - 1) as f64
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// The times of a study of self-awareness (Dana 1990), with which Wilcox (2012) explains trimming.
    const TIMES: [f64; 19] = [
        77.0, 87.0, 88.0, 114.0, 151.0, 210.0, 219.0, 246.0, 253.0, 262.0, 296.0, 299.0, 306.0, 376.0, 428.0,
        515.0, 666.0, 1310.0, 2611.0,
    ];

    fn mean_and_variance(values: &[f64], share: f64) -> (TrimmedMean, f64) {
        let mean = TrimmedMean::of(&mut values.to_vec(), share).unwrap();
        (mean, mean.variance(values.iter().copied()))
    }

    /// By Wilcox the mean without a fifth at either end is 283, the winsorised variance 21,551.4. The
    /// variance of the mean and the case of a tenth are those of scipy 1.17.1, as `ttest_ind(trim=...)` uses
    /// them.
    #[test]
    fn published_times() {
        let (fifth, variance) = mean_and_variance(&TIMES, 0.2);
        let winsorised_variance = variance * 13.0 * 12.0 / 18.0;
        assert!((fifth.mean - 282.692_307_692_307_7).abs() < 1e-10);
        assert!((winsorised_variance - 21_551.4).abs() < 0.05, "{winsorised_variance}");
        assert!((variance - 2_486.703_103_913_63).abs() < 1e-8);
        assert_eq!(fifth.df(), 12.0);
        let (tenth, variance) = mean_and_variance(&TIMES, 0.1);
        assert!((tenth.mean - 342.705_882_352_941_16).abs() < 1e-10);
        assert!((variance - 8_581.700_464_396_286).abs() < 1e-8);
        assert_eq!(tenth.df(), 16.0);
    }

    #[test]
    fn wild_values_move_nothing() {
        let mut values: Vec<f64> = (0..20).map(f64::from).collect();
        let (before, variance_before) = mean_and_variance(&values, 0.1);
        values[18..].fill(1e12);
        let (after, variance_after) = mean_and_variance(&values, 0.1);
        assert_eq!((after.mean, after.df()), (before.mean, 15.0));
        assert!((variance_after / variance_before - 1.0).abs() < 1e-9);
    }

    #[test]
    fn two_values_are_the_fewest() {
        let of = |values: &[f64]| TrimmedMean::of(&mut values.to_vec(), 0.1).map(|trimmed| trimmed.mean);
        assert_eq!(of(&[]), Err(StatsError::TooFew { n: 0, needed: 2 }));
        assert_eq!(of(&[1.0]), Err(StatsError::TooFew { n: 1, needed: 2 }));
        assert_eq!(of(&[1.0, 2.0]), Ok(1.5));
        assert_eq!(of(&[1.0, f64::INFINITY]), Err(StatsError::NotFinite));
    }

    proptest! {
        #[test]
        fn without_trimming_it_is_the_mean(values in vec((-10.0..10.0, -10.0..10.0), 2..50)) {
            let (ones, others): (Vec<f64>, Vec<f64>) = values.into_iter().unzip();
            let ((one, of_one), (other, of_other)) = (mean_and_variance(&ones, 0.0), mean_and_variance(&others, 0.0));
            let sums: Vec<f64> = ones.iter().zip(&others).map(|(one, other)| one + other).collect();
            let moments = crate::stats::Moments::of(&sums).unwrap();
            prop_assert!((one.mean + other.mean - moments.mean()).abs() < 1e-9);
            let both = ones.iter().copied().zip(others.iter().copied());
            let variance = of_one + of_other + 2.0 * one.covariance(&other, both);
            prop_assert!((variance - moments.variance() / moments.n() as f64).abs() < 1e-9);
        }
    }
}
