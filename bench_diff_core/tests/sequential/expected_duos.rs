//! The cost of a decision: the expected number of duos in normal noise.
//!
//! It is held against Wald's bound on what any test with these error rates needs (1945; Wald & Wolfowitz
//! 1948), and against a numpy simulation of the same design, 20,000 runs (8000 for the wide noise). Sigma is
//! the spread of the contrasts, h the width of the zone, u = (sigma / h)^2.
//!
//! The judge looks at its evidence every 8 duos, from 16 duos on, and counts the largest that there has been.
//! Without the minimum, and counting what there is at the look, the same simulation has 200 and 280 duos for
//! h / sigma = .2 and 14.7 and 20.4 for h / sigma = 1.

use std::sync::LazyLock;

use bench_diff_core::{Bounds, Coin, OrderPolicy, Seed};

use crate::gate::{DEFAULT, bounds};
use crate::random::Random;
use crate::simulation::{Machine, plan};

const RUNS: u64 = 1000;

/// The mean number of duos to a verdict, for a true effect and a spread of the contrasts.
fn expected_duos(delta: f64, sigma: f64) -> f64 {
    let duos = |run| {
        let coin = Coin::new(OrderPolicy::Coin, Seed(run).for_pair("expected duos"));
        let mut random = Random::new(run);
        // The contrast of four slots spreads as much as each of them.
        let noise = || random.normal(sigma);
        Machine { noise, coin, delta }.run(&plan(DEFAULT), 16 * 1024).stopped_after() as f64
    };
    (0..RUNS).map(duos).sum::<f64>() / RUNS as f64
}

/// The mean number of duos at an end of the zone, which is this many spreads wide.
fn at_end(h_over_sigma: f64, end: fn(Bounds) -> f64) -> f64 {
    let zone = bounds(DEFAULT);
    expected_duos(end(zone), (zone.hi - zone.lo) / h_over_sigma)
}

/// The noise of five widths at either end, simulated once for the two tests that look at it.
static FIVE_WIDTHS: [LazyLock<f64>; 2] =
    [LazyLock::new(|| at_end(0.2, |zone| zone.lo)), LazyLock::new(|| at_end(0.2, |zone| zone.hi))];

fn assert_near(duos: f64, simulated: f64) {
    println!("{duos:.2} duos");
    assert!((duos / simulated - 1.0).abs() < 0.05, "{duos} instead of {simulated}");
}

#[test]
fn noise_of_five_widths_takes_hundreds_of_duos() {
    let [at_lo, at_hi] = &FIVE_WIDTHS;
    assert_near(**at_lo, 187.4);
    assert_near(**at_hi, 266.8);
}

#[test]
fn noise_of_one_width_takes_two_or_three_looks() {
    assert_near(at_end(1.0, |zone| zone.lo), 17.17);
    assert_near(at_end(1.0, |zone| zone.hi), 19.75);
}

/// Wald's bounds for error rates of 1 % and 5 %, for a test that knows sigma and looks at every duo.
#[test]
fn no_test_could_do_with_far_fewer_duos() {
    let u = 25.0;
    // The upper end comes first, so that neither of two tests that run side by side waits for the other at
    // once.
    for (duos, wald) in FIVE_WIDTHS.iter().zip([5.82 * u, 8.35 * u]).rev() {
        let ratio = **duos / wald;
        println!("{ratio:.3} times Wald's bound");
        assert!((1.2..1.45).contains(&ratio), "{ratio} times Wald's bound");
    }
}
