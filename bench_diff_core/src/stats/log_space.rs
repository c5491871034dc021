//! Sums of numbers that are given by their logarithms.

/// ln of the sum of e^x without overflow.
pub(crate) fn ln_sum_exp(logarithms: &[f64]) -> f64 {
    let largest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + logarithms.iter().map(|x| (x - largest).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::LN_2;

    use super::*;

    #[test]
    fn sums_of_huge_and_of_tiny_numbers_stay_finite() {
        assert!((ln_sum_exp(&[-1e6, -1e6]) - (-1e6 + LN_2)).abs() < 1e-9);
        assert!((ln_sum_exp(&[0.0, -1e300]) - 0.0).abs() < 1e-15);
    }
}
