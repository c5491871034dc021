//! Normal numbers from uniform ones.

use std::f64::consts::TAU;

/// A standard normal number from two uniform ones on (0, 1], which excludes the logarithm of 0 (Box & Muller
/// 1958).
pub fn standard_normal(mut uniform: impl FnMut() -> f64) -> f64 {
    let radius = (-2.0 * uniform().ln()).sqrt();
    radius * (TAU * uniform()).cos()
}
