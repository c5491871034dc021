//! The harmonic-mean estimate: what it is, and by how much it is off.

use bench_diff_core::stats::StatsError;
use bench_diff_core::{Duo, Order, OrderPolicy, Seed};
use bench_diff_original::noise_model::{
    Alpha, HarmonicMeanEstimate, ModelFunction, NoiseModel, simulate_duos,
};

use crate::{assert_near, machine, mean, stdev};

const RUNS: u64 = 100;
const EXECUTIONS: usize = 2_000;

/// Estimates over many runs of equal functions with these sigmas.
fn estimates(sigma_1: f64, sigma_2: f64, alpha: Alpha) -> (Vec<HarmonicMeanEstimate>, Vec<f64>) {
    let function = |sigma| ModelFunction { lambda: 12.0, sigma };
    let model = NoiseModel { f1: function(sigma_1), f2: function(sigma_2), alpha };
    let run = |seed| {
        let out = simulate_duos(&model, EXECUTIONS, OrderPolicy::Coin, Seed(seed));
        (HarmonicMeanEstimate::of(out.duos()).expect("no latency is zero"), out.mean_diff_ln_f1_f2())
    };
    (0..RUNS).map(run).unzip()
}

fn mean_of(estimates: &[HarmonicMeanEstimate], figure: impl Fn(&HarmonicMeanEstimate) -> f64) -> f64 {
    mean(&estimates.iter().map(figure).collect::<Vec<_>>())
}

#[test]
fn the_sums_are_those_of_the_text() {
    let duos = [
        Duo { order: Order::CandidateFirst, candidate: [110, 90], baseline: [100, 95] },
        Duo { order: Order::BaselineFirst, candidate: [120, 105], baseline: [80, 100] },
    ];
    // f1 first: (110, 100) and (105, 100). f2 first: (90, 95) and (120, 80).
    let estimate = HarmonicMeanEstimate::of(&duos).unwrap();
    let ln = |f1: f64, f2: f64| (f1 / f2).ln();
    assert_near(estimate.lnh_odd, (ln(110.0, 100.0) / 110.0 + ln(105.0, 100.0) / 105.0) / 2.0, 1e-15);
    assert_near(estimate.hm_odd, (1.0 / 110.0 + 1.0 / 105.0) / 2.0, 1e-15);
    assert_near(estimate.lnh_even, (ln(90.0, 95.0) / 95.0 + ln(120.0, 80.0) / 80.0) / 2.0, 1e-15);
    assert_near(estimate.hm_even, (1.0 / 95.0 + 1.0 / 80.0) / 2.0, 1e-15);
    assert_near(estimate.odd(), estimate.lnh_odd / estimate.hm_odd, 1e-15);
    assert_near(estimate.ln_ratio(), (estimate.odd() + estimate.even()) / 2.0, 1e-15);
}

#[test]
fn latencies_without_noise_have_their_ratio() {
    let duo = Duo { order: Order::BaselineFirst, candidate: [110; 2], baseline: [100; 2] };
    assert_near(HarmonicMeanEstimate::of(&[duo; 5]).unwrap().ln_ratio(), 1.1_f64.ln(), 1e-15);
}

#[test]
fn what_has_no_estimate_is_an_error() {
    let too_few = Err(StatsError::TooFew { n: 0, needed: 1 });
    assert_eq!(HarmonicMeanEstimate::of(&[]), too_few);
    for (candidate, baseline) in [([0, 5], [5, 5]), ([5, 5], [5, 0]), ([0, 0], [0, 0])] {
        let duo = Duo { order: Order::CandidateFirst, candidate, baseline };
        assert_eq!(HarmonicMeanEstimate::of(&[duo]), Err(StatsError::NotFinite));
    }
}

/// The bias is (sigma_2^2 - sigma_1^2) / 2, where the mean of the logarithms has none: for a constant
/// function beside one that varies as much as the text's "high variance" it makes 9.6 % of nothing.
#[test]
fn the_estimate_is_biased_by_half_the_difference_of_the_variances() {
    let (low, high) = (1.2_f64.ln() / 2.0, 2.4_f64.ln() / 2.0);
    for (sigma_1, sigma_2, expected) in [(0.0, high, 0.095_8), (low, high, 0.091_65), (high, 0.0, -0.095_8)] {
        let (estimates, means_of_ln) = estimates(sigma_1, sigma_2, Alpha::constant());
        let bias = (sigma_2 * sigma_2 - sigma_1 * sigma_1) / 2.0;
        assert_near(bias, expected, 5e-5);
        // Four standard errors: a run has a standard deviation of .0125 (.0117 of the mean of logarithms).
        let tolerance = 4.0 * 0.013 / (RUNS as f64).sqrt();
        assert_near(mean_of(&estimates, HarmonicMeanEstimate::ln_ratio), bias, tolerance);
        assert_near(mean(&means_of_ln), 0.0, tolerance);
        assert_near(mean_of(&estimates, HarmonicMeanEstimate::odd), -sigma_1 * sigma_1, 2.0 * tolerance);
        assert_near(mean_of(&estimates, HarmonicMeanEstimate::even), sigma_2 * sigma_2, 2.0 * tolerance);
    }
}

/// An independent simulation in NumPy gave -.078 and +.079 for the halves, and a standard deviation of .0085
/// beside .0078.
#[test]
fn for_equal_variances_the_halves_are_off_both_ways_and_the_estimate_is_no_better_than_the_mean() {
    let (estimates, means_of_ln) = estimates(0.28, 0.28, machine());
    assert_near(mean_of(&estimates, HarmonicMeanEstimate::odd), -0.078_4, 0.006);
    assert_near(mean_of(&estimates, HarmonicMeanEstimate::even), 0.078_4, 0.006);
    assert_near(mean_of(&estimates, HarmonicMeanEstimate::ln_ratio), 0.0, 0.004);
    let stdev_of = stdev(&estimates.iter().map(HarmonicMeanEstimate::ln_ratio).collect::<Vec<_>>());
    let ratio = stdev_of / stdev(&means_of_ln);
    assert!((1.0..1.25).contains(&ratio), "{ratio}: sqrt(1.12) = 1.06, and more in a machine that changes");
}
