//! The duos that a decision needs, and the slowdown that a number of duos can find.

/// The duos after which 95 % of runs have reached a threshold, if the distance is one standard deviation. It
/// is linear in the threshold, fitted to simulated runs for error rates from 5 % to 0.1 %.
const AT_ONCE: f64 = 11.5;
const PER_NAT: f64 = 3.05;

/// The gain of a plain slowdown per duo. The largest possible gain is ln 2 - ln(1 + e^-3) = .6445.
const PLAIN_GAIN: f64 = 0.64;

/// Additional duos for the split of the stake, and for one outlier.
const SPARE_DUOS: usize = 2;

/// The distance from a bound that this many duos detect in 95 % of runs.
pub(super) fn detectable_distance(sigma: f64, threshold: f64, duos: usize) -> f64 {
    sigma * ((AT_ONCE + PER_NAT * threshold) / duos as f64).sqrt()
}

/// The duos that a plain slowdown needs to reach a threshold. With fewer, measuring is pointless.
pub(super) fn fewest_duos(threshold: f64) -> usize {
    ((threshold / PLAIN_GAIN).ceil() as usize).saturating_add(SPARE_DUOS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(actual: f64, expected: f64, tolerance: f64) {
        assert!((actual - expected).abs() < tolerance, "{actual} is not {expected}");
    }

    #[test]
    fn the_fit_agrees_with_the_simulated_quantiles() {
        for (alpha, simulated) in [(0.05_f64, 20.7), (0.01, 25.4), (0.001, 32.9)] {
            assert_near(detectable_distance(1.0, -alpha.ln(), 1).powi(2), simulated, 0.4);
        }
    }

    #[test]
    fn more_duos_detect_a_shorter_distance() {
        let threshold = 100.0_f64.ln();
        assert_near(detectable_distance(0.02, threshold, 400), 0.005_055, 1e-6);
    }

    #[test]
    fn a_smaller_alpha_takes_more_duos() {
        assert_eq!([2.0_f64, 100.0, 200.0, 10_000.0].map(|one_in| fewest_duos(one_in.ln())), [4, 10, 11, 17]);
        assert_eq!(
            fewest_duos(f64::INFINITY),
            usize::MAX,
            "no number of duos proves anything without a doubt"
        );
    }
}
