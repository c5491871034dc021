//! Trimmed means, which a few wild values at either end do not move.

use super::StatsError;

/// A trimmed mean, with what its precision is computed from.
///
/// The same share of the values is left out at both ends. Its variance comes from the winsorised values, those in
/// which the ones left out are set to the nearest ones kept (Tukey & McLaughlin 1963, "Less vulnerable confidence and
/// significance procedures for location based on a single sample", Sankhya A 25).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TrimmedMean {
    /// The mean of the values that are kept, in their unit.
    pub(crate) mean: f64,
    kept: usize,
    /// The distances of the winsorised values from their mean, in the order of the values.
    deviations: Vec<f64>,
}

impl TrimmedMean {
    /// The mean of at least two values without this share, below 1/2, of them at either end.
    pub(crate) fn of(values: &[f64], share: f64) -> Result<Self, StatsError> {
        let n = values.len();
        let cut = (share * n as f64).floor() as usize;
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let &[low, .., high] = &sorted[cut..n - cut] else {
            return Err(StatsError::TooFew { n, needed: 2 });
        };
        let kept = n - 2 * cut;
        let mean = sorted[cut..n - cut].iter().sum::<f64>() / kept as f64;
        let winsorised = || values.iter().map(|value| value.clamp(low, high));
        let center = winsorised().sum::<f64>() / n as f64;
        let deviations = winsorised().map(|value| value - center).collect();
        if mean.is_finite() && center.is_finite() {
            Ok(Self { mean, kept, deviations })
        } else {
            Err(StatsError::NotFinite)
        }
    }

    /// The variance of the mean (Yuen 1974, "The two-sample trimmed t for unequal population variances",
    /// Biometrika 61).
    pub(crate) fn variance(&self) -> f64 {
        self.covariance(self)
    }

    /// The covariance of this mean and that of values which belong to these one by one (Wilcox 2012, "Introduction to
    /// Robust Estimation and Hypothesis Testing").
    pub(crate) fn covariance(&self, other: &Self) -> f64 {
        let kept = self.kept as f64;
        let products = self.deviations.iter().zip(&other.deviations).map(|(one, other)| one * other);
        products.sum::<f64>() / (kept * (kept - 1.0))
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

    /// By Wilcox the mean without a fifth at either end is 283, the winsorised variance 21,551.4. The variance of the
    /// mean and the case of a tenth are those of scipy 1.17.1, as `ttest_ind(trim=...)` uses them.
    #[test]
    fn published_times() {
        let fifth = TrimmedMean::of(&TIMES, 0.2).unwrap();
        let winsorised_variance = fifth.variance() * 13.0 * 12.0 / 18.0;
        assert!((fifth.mean - 282.692_307_692_307_7).abs() < 1e-10);
        assert!((winsorised_variance - 21_551.4).abs() < 0.05, "{winsorised_variance}");
        assert!((fifth.variance() - 2_486.703_103_913_63).abs() < 1e-8);
        assert_eq!(fifth.df(), 12.0);
        let tenth = TrimmedMean::of(&TIMES, 0.1).unwrap();
        assert!((tenth.mean - 342.705_882_352_941_16).abs() < 1e-10);
        assert!((tenth.variance() - 8_581.700_464_396_286).abs() < 1e-8);
        assert_eq!(tenth.df(), 16.0);
    }

    #[test]
    fn wild_values_move_nothing() {
        let mut values: Vec<f64> = (0..20).map(f64::from).collect();
        let before = TrimmedMean::of(&values, 0.1).unwrap();
        values[18..].fill(1e12);
        let after = TrimmedMean::of(&values, 0.1).unwrap();
        assert_eq!((after.mean, after.df()), (before.mean, 15.0));
        assert!((after.variance() / before.variance() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn two_values_are_the_fewest() {
        assert_eq!(TrimmedMean::of(&[], 0.1), Err(StatsError::TooFew { n: 0, needed: 2 }));
        assert_eq!(TrimmedMean::of(&[1.0], 0.1), Err(StatsError::TooFew { n: 1, needed: 2 }));
        assert_eq!(TrimmedMean::of(&[1.0, 2.0], 0.1).unwrap().mean, 1.5);
        assert_eq!(TrimmedMean::of(&[1.0, f64::INFINITY], 0.1), Err(StatsError::NotFinite));
    }

    proptest! {
        #[test]
        fn without_trimming_it_is_the_mean(values in vec((-10.0..10.0, -10.0..10.0), 2..50)) {
            let (ones, others): (Vec<f64>, Vec<f64>) = values.into_iter().unzip();
            let (one, other) = (TrimmedMean::of(&ones, 0.0).unwrap(), TrimmedMean::of(&others, 0.0).unwrap());
            let sums: Vec<f64> = ones.iter().zip(&others).map(|(one, other)| one + other).collect();
            let moments = crate::stats::Moments::of(&sums).unwrap();
            prop_assert!((one.mean + other.mean - moments.mean()).abs() < 1e-9);
            let variance = one.variance() + other.variance() + 2.0 * one.covariance(&other);
            prop_assert!((variance - moments.variance() / moments.n() as f64).abs() < 1e-9);
        }
    }
}
