//! The harmonic-mean estimate of ln(lambda_1 / lambda_2).

use bench_diff_core::Duo;
use bench_diff_core::stats::StatsError;

/// An estimate of ln(f1 / f2) that weighs each pair of neighbouring executions by the rate of the first one,
/// for study: no verdict uses it.
///
/// The weight of a pair with f1 first ("odd") is 1 / L(f1), that of a pair with f2 first ("even") is 1 /
/// L(f2):
///
/// - LNH_odd is the mean of (ln L(f1) - ln L(f2)) / L(f1) and HM_odd that of 1 / L(f1), over the odd pairs,
/// - LNH_even is the mean of (ln L(f1) - ln L(f2)) / L(f2) and HM_even that of 1 / L(f2), over the even
///   pairs,
/// - the estimate is (LNH_odd / HM_odd + LNH_even / HM_even) / 2.
///
/// It was meant to have a smaller error than the mean of the differences of logarithms. It has a larger one:
/// the weight contains the noise of the latency that it weighs, and E(Z e^-Z) / E(e^-Z) = -sigma^2 for a
/// normal Z. So the odd half is off by -sigma_1^2 and the even half by +sigma_2^2, and **the estimate is
/// biased by (sigma_2^2 - sigma_1^2) / 2**, zero only for functions that vary equally: 9.6 % for a constant
/// function beside one with sigma = ln(2.4) / 2. For equal sigma its variance is exp(sigma^2) (1 + sigma^2 /
/// 2) times that of the mean, 1.12 at 0.28, and more where alpha changes. What it was to remove, the drift
/// between the two executions of a pair, stays: the weights turn the mean of alpha'/alpha times a latency
/// into the mean of alpha'/alpha times the harmonic mean latency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HarmonicMeanEstimate {
    /// LNH over the pairs with f1 first, per nanosecond.
    pub lnh_odd: f64,
    /// HM over the pairs with f1 first, per nanosecond.
    pub hm_odd: f64,
    /// LNH over the pairs with f2 first, per nanosecond.
    pub lnh_even: f64,
    /// HM over the pairs with f2 first, per nanosecond.
    pub hm_even: f64,
}

impl HarmonicMeanEstimate {
    /// The estimate from duos with f1 as the candidate. Each has one pair of either kind.
    ///
    /// # Errors
    ///
    /// [`StatsError::TooFew`] without a duo, [`StatsError::NotFinite`] where a latency is zero.
    pub fn of(duos: &[Duo]) -> Result<Self, StatsError> {
        if duos.is_empty() {
            return Err(StatsError::TooFew { n: 0, needed: 1 });
        }
        let n = duos.len() as f64;
        let mut estimate = Self { lnh_odd: 0.0, hm_odd: 0.0, lnh_even: 0.0, hm_even: 0.0 };
        for Duo { order, candidate, baseline } in duos {
            let [first, second] = [0, 1].map(|pair| [candidate[pair] as f64, baseline[pair] as f64]);
            let ([odd_f1, odd_f2], [even_f1, even_f2]) =
                if order.is_candidate_first() { (first, second) } else { (second, first) };
            estimate.lnh_odd += (odd_f1.ln() - odd_f2.ln()) / odd_f1 / n;
            estimate.hm_odd += 1.0 / odd_f1 / n;
            estimate.lnh_even += (even_f1.ln() - even_f2.ln()) / even_f2 / n;
            estimate.hm_even += 1.0 / even_f2 / n;
        }
        if estimate.ln_ratio().is_finite() { Ok(estimate) } else { Err(StatsError::NotFinite) }
    }

    /// LNH_odd / HM_odd: the half of the estimate that is off by -sigma_1^2.
    #[must_use]
    pub fn odd(&self) -> f64 {
        self.lnh_odd / self.hm_odd
    }

    /// LNH_even / HM_even: the half of the estimate that is off by +sigma_2^2.
    #[must_use]
    pub fn even(&self) -> f64 {
        self.lnh_even / self.hm_even
    }

    /// The estimate of ln(f1 / f2), biased by (sigma_2^2 - sigma_1^2) / 2.
    #[must_use]
    pub fn ln_ratio(&self) -> f64 {
        f64::midpoint(self.odd(), self.even())
    }
}
