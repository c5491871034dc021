//! The bounds of the text on the error of mean_diff_ln, the mean difference of the logarithms of paired
//! latencies, as an estimate of ln(lambda_1 / lambda_2).

use std::f64::consts::{FRAC_PI_2, PI};

use super::NoiseModel;

/// The standard errors on either side of the mean that hold 99 % of a normal distribution, as the text has
/// it.
const TWO_SIDED_99: f64 = 2.58;

/// The bounds of the text that came with `bench_diff` 1.1.0 (Paulo Villela). In the formulas, l1 and l2
/// are the lambdas of f1 and f2 in milliseconds, s is the sigma of both, and A_L, A_U and A_D are the bounds
/// of [`Alpha`](super::Alpha). If the sigmas differ, each term of BE has that of its function, and 2 s^2
/// becomes the sum of their squares.
impl NoiseModel {
    /// BE, a bound on |E mean_diff_ln - ln(lambda_1 / lambda_2)|:
    ///
    /// (l1 + l2)/2 A_D exp(s^2/2) + (l1^2 + l2^2)/2 A_D^2 (A_U/A_L)^2 exp(2 s^2).
    ///
    /// It holds, and is far from sharp: it adds up the biases of pairs with f1 first and of those with f2
    /// first, which are opposite and cancel except for the second order in lambda A_D.
    #[must_use]
    pub fn be(&self) -> f64 {
        let (slope, range) = (self.alpha.slope(), self.alpha.upper() / self.alpha.lower());
        let term = |function: super::ModelFunction| {
            let square = function.sigma.powi(2);
            let drift = function.lambda * slope;
            (drift * (square / 2.0).exp() + (drift * range).powi(2) * (2.0 * square).exp()) / 2.0
        };
        term(self.f1) + term(self.f2)
    }

    /// BA, a bound on E |mean_diff_ln - ln(lambda_1 / lambda_2)| of n pairs: BE + 2 s / sqrt(n pi).
    #[must_use]
    pub fn ba(&self, n: f64) -> f64 {
        self.be() + self.standard_error(n) * (2.0 / PI).sqrt()
    }

    /// The value that the text takes for BA if n is large: BE.
    ///
    /// No n is large by itself. The term that is left out is smaller than BE from n = 4 s^2 / (pi BE^2) on,
    /// which are 230,000 pairs of the text's example.
    #[must_use]
    pub fn ba_asymptotic(&self) -> f64 {
        self.be()
    }

    /// BC, which |mean_diff_ln - ln(lambda_1 / lambda_2)| of n pairs exceeds with a probability of 1 %:
    /// BE (2.58 sqrt(pi/2) + 1) + 2.58 s sqrt(2/n).
    ///
    /// It holds, with BE in it 4.2 times where once is enough: [`bc_direct`](Self::bc_direct).
    #[must_use]
    pub fn bc(&self, n: f64) -> f64 {
        self.bc_asymptotic() + TWO_SIDED_99 * self.standard_error(n)
    }

    /// The value that the text takes for BC if n is large and calls are independent of it: BE (2.58
    /// sqrt(pi/2) + 1).
    ///
    /// It is no bound on the error of any number of executions that one would choose: in the text's own
    /// example the term that is left out is 7.4 times as large.
    #[must_use]
    pub fn bc_asymptotic(&self) -> f64 {
        self.be() * (FRAC_PI_2.sqrt() * TWO_SIDED_99 + 1.0)
    }

    /// The bound at 99 % that follows without the detour over BA: BE + 2.58 s sqrt(2/n), the bias and the
    /// standard error of a mean.
    #[must_use]
    pub fn bc_direct(&self, n: f64) -> f64 {
        self.be() + TWO_SIDED_99 * self.standard_error(n)
    }

    /// The standard deviation of mean_diff_ln over n pairs: s sqrt(2/n). It is infinite or NaN, like every
    /// bound that depends on n, unless n is above 0.
    #[must_use]
    pub fn standard_error(&self, n: f64) -> f64 {
        ((self.f1.sigma.powi(2) + self.f2.sigma.powi(2)) / n).sqrt()
    }
}
