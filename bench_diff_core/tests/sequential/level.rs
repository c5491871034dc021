//! The level: how often the judge is wrong, in every noise that there is.
//!
//! By Ville's inequality (1939) a false failure has a probability of alpha at the most and a false pass one
//! of beta, at any moment of stopping. A numpy simulation of the same design, 2000 runs of up to 1200 duos in
//! each of these eleven noises with the first bet spread over four sizes, had 0.35 % to 1.05 % of false
//! failures at an alpha of 1 %.

use bench_diff_core::{Coin, OrderPolicy, Seed, Verdict};

use crate::binomial::acceptable;
use crate::gate::{NARROW, bounds};
use crate::noise::Noise;
use crate::random::Random;
use crate::simulation::{HORIZON, Machine, Tally, plan};

/// The runs at the lower bound; at the upper one there are half as many.
const SHORT: usize = 500;
const FULL: usize = 2000;

/// The probability of more failures than are accepted at an error rate of exactly alpha. With a true rate of
/// twice alpha the chance that 2000 runs have at most those 29 is 4 %.
const RISK: f64 = 0.025;

fn verdict(noise: Noise, delta: f64, run: u64) -> Verdict {
    let coin = Coin::new(OrderPolicy::Coin, Seed(run).for_pair(&noise.name()));
    let noise = noise.slots(Random::new(run));
    Machine { noise, coin, delta }.run(&plan(NARROW), HORIZON).verdict()
}

fn holds_in(noise: Noise, runs: usize) {
    let tally = |runs: std::ops::Range<usize>, delta| -> Tally {
        runs.map(|run| verdict(noise, delta, run as u64)).collect()
    };
    let at_lo = tally(0..runs, bounds(NARROW).lo);
    println!("{noise:?} at lo: {at_lo:?}");
    assert!(at_lo.fails <= acceptable(runs, 0.01, RISK), "{noise:?} at the lower bound: {at_lo:?}");

    let at_hi = tally(FULL..FULL + runs / 2, bounds(NARROW).hi);
    println!("{noise:?} at hi: {at_hi:?}");
    assert!(at_hi.passes <= acceptable(runs / 2, 0.05, 1e-3), "{noise:?} at the upper bound: {at_hi:?}");

    // A judge that never decides would hold its level as well.
    let undecided = (at_lo.inconclusive, at_hi.inconclusive);
    assert!(undecided.0 <= runs / 100 && undecided.1 <= runs / 200, "{noise:?}: {at_lo:?} {at_hi:?}");
}

/// A test for each noise, so that they run side by side and a failure says which one it was.
macro_rules! holds_in_noise {
    ($($name:ident: $index:literal,)*) => {
        $(#[test]
        fn $name() {
            holds_in(Noise::ALL[$index], SHORT);
        })*

        mod in_full {
            use super::*;

            $(#[test]
            #[ignore = "seconds for each noise"]
            fn $name() {
                holds_in(Noise::ALL[$index], FULL);
            })*
        }
    };
}

holds_in_noise! {
    in_independent_noise: 0,
    in_a_long_memory: 1,
    in_a_short_memory: 2,
    in_pink_noise: 3,
    in_steps: 4,
    in_a_sinus_of_period_4_05: 5,
    in_ticks_of_period_4_02: 6,
    in_ticks_of_period_8_1: 7,
    in_bursts: 8,
    in_spikes: 9,
    in_heavy_tails: 10,
}
