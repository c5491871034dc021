//! beta(t): the part of the noise that is drawn anew for every execution.

use bench_diff_core::stats::standard_normal;
use bench_diff_core::{Generator, Seed};

/// Independent draws of beta: log-normal, with E ln beta = 0.
#[derive(Clone, Debug)]
pub struct Beta {
    sigma: f64,
    generator: Generator,
}

impl Beta {
    /// Draws with this standard deviation of ln beta, which is finite and at least 0; the same seed gives the
    /// same ones.
    #[must_use]
    pub fn new(sigma: f64, seed: Seed) -> Self {
        // Another name than that of any pair, so that a coin of the same seed knows nothing of these draws.
        Self { sigma, generator: Generator::new(seed.for_pair("beta of the noise model")) }
    }

    /// The next beta.
    pub fn draw(&mut self) -> f64 {
        (self.sigma * standard_normal(|| self.uniform())).exp()
    }

    /// E beta = exp(sigma^2 / 2).
    #[must_use]
    pub fn mean(&self) -> f64 {
        (self.sigma * self.sigma / 2.0).exp()
    }

    /// Uniform on (0, 1], so that it has a logarithm.
    fn uniform(&mut self) -> f64 {
        ((self.generator.draw() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use bench_diff_core::stats::Moments;

    use super::*;

    #[test]
    fn beta_is_log_normal_with_a_median_of_1() {
        let draws = 200_000;
        let mut beta = Beta::new(0.28, Seed(1));
        let values: Vec<f64> = (0..draws).map(|_| beta.draw()).collect();
        let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        let ln = Moments::of(&logarithms).unwrap();
        // Five standard errors: .28 / sqrt(n) of the mean, .28 / sqrt(2 n) of the standard deviation.
        let error = 0.28 / f64::from(draws).sqrt();
        assert!(ln.mean().abs() < 5.0 * error, "{}", ln.mean());
        assert!((ln.stdev() - 0.28).abs() < 5.0 * error / 2.0_f64.sqrt(), "{}", ln.stdev());
        // exp(.28^2 / 2), which the text gives as 1.0400.
        assert!((beta.mean() - 1.039_978).abs() < 1e-6);
        assert!((Moments::of(&values).unwrap().mean() - beta.mean()).abs() < 5.0 * 1.1 * error);

        // Tails and independence: 4.55 % of a normal lie beyond 2 sigma, and neighbours do not resemble each
        // other.
        let beyond = logarithms.iter().filter(|ln| ln.abs() > 0.56).count() as f64 / f64::from(draws);
        assert!((beyond - 0.045_5).abs() < 0.002_4, "{beyond}");
        let lag: f64 = logarithms.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / f64::from(draws);
        assert!((lag / 0.28_f64.powi(2)).abs() < 0.012, "{lag}");
    }

    #[test]
    fn without_a_spread_beta_is_1() {
        let mut beta = Beta::new(0.0, Seed(1));
        assert!((0..100).all(|_| beta.draw() == 1.0));
    }
}
