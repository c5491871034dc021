//! What both sides draw in common, and what each draws alone: the level where a change moves its side by the
//! same distance in all rounds, and the rounds that the common part saves.
//!
//! Given the common part, both sides are distributed alike as long as a displacement leaves what is drawn
//! alone as likely at each place as before. A displacement on a circle does.

use bench_diff_core::{Bounds, Gate};

use crate::binomial::acceptable;
use crate::random::Random;
use crate::script::{RISK, Tally, plan};

const GATE: Gate = Gate::MaxSlowdown(0.02);

/// The spread of processes in any case.
const NOISE: f64 = 0.006;

/// How much slower a function is, as a logarithm, at a place that no change moves and at one that it may
/// move. Both are from 0 to 1.
type Response = fn(fixed: f64, moved: f64) -> f64;

const RESPONSES: [(&str, Response); 6] = [
    ("what no change moves", |fixed, _| unmoved(fixed)),
    ("a slope of 10 %", |fixed, moved| unmoved(fixed) + 0.1 * moved),
    ("a slope of 20 %", |fixed, moved| unmoved(fixed) + 0.2 * moved),
    ("four stairs", |fixed, moved| unmoved(fixed) + 0.05 * (4.0 * moved).floor()),
    ("a slope over both", |fixed, moved| unmoved(fixed) + 0.2 * (fixed + moved).fract()),
    ("a slope that depends on both", |fixed, moved| unmoved(fixed) * (1.0 + 4.0 * moved)),
];

/// A wave with a standard deviation of 5 %.
fn unmoved(fixed: f64) -> f64 {
    0.07 * (fixed * std::f64::consts::TAU).sin()
}

/// What the new side draws in common with the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Common {
    Nothing,
    WhatNoChangeMoves,
    Everything,
}

/// The contrast in one binary of the same function, which is moved by this share of all places on the new side.
fn contrast(random: &mut Random, common: Common, response: Response, distance: f64) -> f64 {
    let [fixed, moved] = [(); 2].map(|()| random.uniform());
    let old_fixed = if common == Common::Nothing { random.uniform() } else { fixed };
    let old_moved = if common == Common::Everything { moved } else { random.uniform() };
    let new = response(fixed, (moved + distance).rem_euclid(1.0));
    new - response(old_fixed, old_moved) + random.normal(NOISE)
}

/// Counts the verdicts of runs of a function that is slower by this logarithm. This many pairs share alpha.
/// A round is the mean of this many binaries, each with its own draws.
fn tally(
    (common, response, distance): (Common, Response, f64),
    binaries: usize,
    slower: f64,
    pairs: usize,
    runs: usize,
) -> Tally {
    let mut random = Random::new(7);
    let mut of_binary = || contrast(&mut random, common, response, distance);
    let mut mean = || (0..binaries).map(|_| of_binary()).sum::<f64>() / binaries as f64;
    Tally::of(&plan(GATE, pairs), runs, || slower + mean())
}

/// The most failures over these distances in both directions.
fn most_failures(distances: impl IntoIterator<Item = f64>, failed: impl Fn(f64) -> usize) -> usize {
    let both = distances.into_iter().flat_map(|distance| [distance, -distance]);
    both.map(failed).max().unwrap_or(0)
}

/// The most failures of a slowdown that is barely allowed.
fn most_failures_at_limit(common: Common, response: Response, pairs: usize, runs: usize) -> usize {
    let Bounds { lo, .. } = GATE.zone().unwrap().slower;
    most_failures([1.0, 4.0, 16.0].map(|share| 0.5 / share), |distance| {
        tally((common, response, distance), 1, lo - 1e-7, pairs, runs).failed
    })
}

/// If a change moves the heap unnoticed, both sides have the same place in each of the four binaries of a
/// round. The mean of four is nearly symmetric. In 1,000 runs of each, at most 26 failed without a cost.
fn four_places_hide_a_displacement(responses: &[(&str, Response)], runs: usize) {
    for (name, response) in responses {
        for (pairs, rate) in [(1, 0.03), (24, 0.01)] {
            let failed = most_failures((1..16).map(|share| f64::from(share) / 32.0), |distance| {
                tally((Common::Everything, *response, distance), 4, 0.0, pairs, runs).failed
            });
            println!("| {name} | four places | {pairs} pairs | {failed} of {runs} fail |");
            assert!(
                failed <= acceptable(runs, rate, RISK),
                "{name}, {pairs} pairs: {failed} of {runs} failed"
            );
        }
    }
}

fn no_displacement_is_a_failure(runs: usize) {
    for (name, response) in RESPONSES {
        for pairs in [1, 24] {
            let most = acceptable(runs, 0.01 / pairs as f64, RISK);
            for common in [Common::Nothing, Common::WhatNoChangeMoves] {
                let failed = most_failures_at_limit(common, response, pairs, runs);
                println!("| {name} | {common:?} | {pairs} pairs | {failed} of {runs} fail |");
                assert!(failed <= most, "{name}, {common:?}, {pairs} pairs: {failed} of {runs} failed");
            }
        }
    }
}

/// If everything is common, most rounds may say that the new side has moved up a slope.
fn with_everything_common_a_displacement_fails(runs: usize) {
    for (name, response) in &RESPONSES[2..5] {
        let failed = most_failures_at_limit(Common::Everything, *response, 1, runs);
        assert!(failed > runs / 4, "{name}: {failed} of {runs} failed");
    }
}

/// Both sides differ less if they draw more in common, so a verdict takes fewer rounds.
fn the_common_part_decides_sooner(runs: usize) {
    let (_, response) = RESPONSES[0];
    let of = |common, slower: f64| tally((common, response, 0.25), 1, slower.ln_1p(), 24, runs);
    for slower in [0.0, 0.05] {
        let [alone, common] = [Common::Nothing, Common::WhatNoChangeMoves].map(|common| of(common, slower));
        let decided = if slower > 0.0 { common.failed } else { common.passed };
        assert_eq!(decided, runs);
        let [alone, common] = [alone, common].map(|tally| tally.median_rounds());
        println!("| {slower} slower | {alone} rounds alone | {common} in common |");
        assert!(2 * common < alone, "{slower}: {common} rounds, {alone} alone");
    }
}

#[test]
fn what_a_change_moves_is_drawn_alone() {
    no_displacement_is_a_failure(100);
    with_everything_common_a_displacement_fails(100);
}

#[test]
fn a_place_for_each_binary_hides_a_displacement() {
    four_places_hide_a_displacement(&RESPONSES[2..3], 50);
}

#[test]
fn what_no_change_moves_costs_no_rounds() {
    the_common_part_decides_sooner(100);
}

mod in_full {
    use super::*;

    #[test]
    #[ignore = "a minute"]
    fn a_place_for_each_binary_hides_a_displacement() {
        four_places_hide_a_displacement(&RESPONSES, 1_000);
    }

    #[test]
    #[ignore = "a minute"]
    fn what_a_change_moves_is_drawn_alone() {
        no_displacement_is_a_failure(2_000);
        with_everything_common_a_displacement_fails(2_000);
    }
}
