//! The number of errors that a series of runs may show.

/// The smallest count that `runs` runs exceed with a probability of no more than `risk`, each of them an
/// error with this probability.
///
/// The error rates lie below what is promised rather than at it, since the evidence overshoots its threshold.
/// So an implementation that keeps its promise stays far below this count, and a count above it is a defect.
pub(crate) fn acceptable(runs: usize, probability: f64, risk: f64) -> usize {
    // As logarithms, since the chance of no error at all in 100,000 runs is below the smallest number.
    let ln_odds = probability.ln() - (-probability).ln_1p();
    let mut ln_mass = runs as f64 * (-probability).ln_1p();
    let mut beyond = 1.0 - ln_mass.exp();
    let mut count = 0;
    while beyond > risk {
        ln_mass += ln_odds + ((runs - count) as f64 / (count + 1) as f64).ln();
        beyond -= ln_mass.exp();
        count += 1;
    }
    count
}

/// Binomial quantiles of scipy 1.17.
#[test]
fn the_acceptable_counts_are_binomial_quantiles() {
    for (runs, probability, risk, count) in [
        (1000, 0.01, 1e-3, 21),
        (2000, 0.01, 1e-3, 35),
        (1000, 0.05, 1e-3, 73),
        (2000, 0.05, 1e-3, 131),
        (100_000, 0.01, 1e-3, 1099),
        (4000, 0.01, 1.2e-4, 65),
        (4000, 0.05, 1.2e-4, 252),
        (1000, 0.01, 1.2e-4, 23),
        (1000, 0.05, 1.2e-4, 77),
        (2000, 0.01, 0.025, 29),
        (500, 0.01, 0.025, 10),
    ] {
        assert_eq!(acceptable(runs, probability, risk), count, "{runs} of {probability} at {risk}");
    }
}
