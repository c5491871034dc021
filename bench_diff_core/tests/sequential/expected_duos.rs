//! What a decision costs: the expected number of duos in normal noise.
//!
//! It is held against Wald's bound on what any test with these error rates needs (1945; Wald & Wolfowitz
//! 1948), and against a numpy simulation of the same design, 20,000 runs (8000 for the wide noise). Sigma is
//! the spread of the contrasts, h the width of the zone, u = (sigma / h)^2.
//!
//! The judge looks at its evidence every 8 duos, from 16 duos on, and counts the largest that there has been.
//! Without the minimum, and counting what there is at the look, the same simulation has 200 and 280 duos for
//! h / sigma = .2 and 14.7 and 20.4 for h / sigma = 1.

use std::sync::LazyLock;

use bench_diff_core::{Coin, OrderPolicy, Seed};

use crate::gate::{DEFAULT, bounds};
use crate::random::Random;
use crate::simulation::{Machine, plan};

const RUNS: u64 = 4000;

/// The mean number of duos to a verdict, for a true effect and a spread of the contrasts.
fn expected_duos(delta: f64, sigma: f64) -> f64 {
    let duos = |run| {
        let coin = Coin::new(OrderPolicy::Coin, Seed(run).for_pair("expected duos"));
        let mut random = Random::new(run);
        // The contrast of four slots spreads as much as each of them.
        let noise = || random.normal(sigma);
        Machine { noise, coin, delta }.run(&plan(DEFAULT), 16 * 1024).stopped_after as f64
    };
    (0..RUNS).map(duos).sum::<f64>() / RUNS as f64
}

/// The mean numbers of duos at the two ends of the zone, for a zone of so many spreads.
fn at_both_ends(h_over_sigma: f64) -> [f64; 2] {
    let zone = bounds(DEFAULT);
    let sigma = (zone.hi - zone.lo) / h_over_sigma;
    [zone.lo, zone.hi].map(|delta| expected_duos(delta, sigma))
}

/// The noise of five widths, for both tests that look at it.
static FIVE_WIDTHS: LazyLock<[f64; 2]> = LazyLock::new(|| at_both_ends(0.2));

fn assert_near(actual: [f64; 2], simulated: [f64; 2]) {
    println!("{actual:.2?} duos at the two ends of the zone");
    for (duos, simulated) in actual.into_iter().zip(simulated) {
        assert!((duos / simulated - 1.0).abs() < 0.05, "{duos} instead of {simulated}");
    }
}

#[test]
fn noise_of_five_widths_takes_hundreds_of_duos() {
    assert_near(*FIVE_WIDTHS, [187.4, 266.8]);
}

#[test]
fn noise_of_one_width_takes_two_or_three_looks() {
    assert_near(at_both_ends(1.0), [17.17, 19.75]);
}

/// Wald's bounds for error rates of 1 % and 5 %, for a test that knows sigma and looks at every duo.
#[test]
fn no_test_could_do_with_far_fewer_duos() {
    let u = 25.0;
    for (duos, wald) in FIVE_WIDTHS.into_iter().zip([5.82 * u, 8.35 * u]) {
        let ratio = duos / wald;
        println!("{ratio:.3} times Wald's bound");
        assert!((1.2..1.45).contains(&ratio), "{ratio} times Wald's bound");
    }
}
