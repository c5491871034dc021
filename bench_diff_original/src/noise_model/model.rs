//! Two functions on a noisy machine, as the model knows them.

use super::Alpha;

/// Two functions on a noisy machine.
#[derive(Debug)]
pub struct NoiseModel {
    /// The first function.
    pub f1: ModelFunction,
    /// The second function.
    pub f2: ModelFunction,
    /// The slowness of the machine over time.
    pub alpha: Alpha,
}

/// A function as the model knows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelFunction {
    /// The ideal latency, without any noise, in milliseconds: above 0.
    pub lambda: f64,
    /// The standard deviation of ln beta, at least 0. The text has one for both functions; each may have its
    /// own here, since a function can vary by itself.
    pub sigma: f64,
}

impl NoiseModel {
    /// ln(lambda_1 / lambda_2): what a comparison is to find.
    #[must_use]
    pub fn ln_ratio(&self) -> f64 {
        (self.f1.lambda / self.f2.lambda).ln()
    }
}
