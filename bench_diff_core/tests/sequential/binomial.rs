//! How many errors a series of runs may show.

/// The largest count that `runs` runs exceed with a probability of no more than one in a thousand, each of them an error
/// with this probability.
///
/// The error rates lie below what is promised rather than at it, since the evidence overshoots its threshold. So an
/// implementation that keeps its promise stays far below this count, and a count above it is a defect.
pub(crate) fn acceptable(runs: usize, probability: f64) -> usize {
    // As logarithms, since the chance of no error at all in 100,000 runs is below the smallest number.
    let ln_odds = probability.ln() - (-probability).ln_1p();
    let mut ln_mass = runs as f64 * (-probability).ln_1p();
    let mut beyond = 1.0 - ln_mass.exp();
    let mut count = 0;
    while beyond > 1e-3 {
        ln_mass += ln_odds + ((runs - count) as f64 / (count + 1) as f64).ln();
        beyond -= ln_mass.exp();
        count += 1;
    }
    count
}

/// Binomial quantiles of scipy 1.17.
#[test]
fn the_acceptable_counts_are_binomial_quantiles() {
    assert_eq!(acceptable(1000, 0.01), 21);
    assert_eq!(acceptable(2000, 0.01), 35);
    assert_eq!(acceptable(1000, 0.05), 73);
    assert_eq!(acceptable(2000, 0.05), 131);
    assert_eq!(acceptable(100_000, 0.01), 1099);
}
