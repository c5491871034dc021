//! False failures and false passes exactly at a bound, of rounds that are independent and of any shape whose median is there.

use bench_diff_core::{Bounds, Gate};

use crate::random::Random;
use crate::script::{Tally, plan};

const RUNS: usize = 4000;

/// With a true rate of 1 % the chance of more failures than this among 4000 runs is 1 in 10,000, and of 5 % of more passes.
const FAILS_OF_4000: usize = 66;
const PASSES_OF_4000: usize = 252;

/// What differs from round to round: a number around 0, below which half of them are.
type Shape = fn(&mut Random) -> f64;

/// Standard deviations from 0.05 to 25 %, modes that slow one of the functions, a round in 60 that costs a factor of two.
const SHAPES: [(&str, Shape); 12] = [
    ("normal 0.05 %", |random| random.normal(0.0005)),
    ("normal 0.5 %", |random| random.normal(0.005)),
    ("normal 3 %", |random| random.normal(0.03)),
    ("normal 10 %", |random| random.normal(0.1)),
    ("normal 25 %", |random| random.normal(0.25)),
    ("a slow mode in 45 %", |random| {
        let mode = if random.chance(0.45) { 0.25 } else { 0.0 };
        mode + below_in(random, 0.5 / 0.55) * random.normal(0.01).abs()
    }),
    ("a fast mode in 45 %", |random| {
        let mode = if random.chance(0.45) { -0.25 } else { 0.0 };
        mode - below_in(random, 0.5 / 0.55) * random.normal(0.01).abs()
    }),
    ("far above, hardly below", |random| {
        if random.chance(0.5) { 0.3 * random.uniform() } else { -0.001 * random.uniform() }
    }),
    ("far below, hardly above", |random| {
        if random.chance(0.5) { -0.3 * random.uniform() } else { 0.001 * random.uniform() }
    }),
    ("two modes", |random| if random.chance(0.5) { 0.1 } else { -0.1 } + random.normal(0.01)),
    ("a factor of two in one of 60", |random| {
        let base = random.normal(0.005);
        if random.chance(1.0 / 60.0) { base.signum() * std::f64::consts::LN_2 } else { base }
    }),
    ("Student's t with 1.5 degrees of freedom", |random| (0.01 * random.student(1.5)).clamp(-10.0, 10.0)),
];

/// -1 with this probability, else 1.
fn below_in(random: &mut Random, probability: f64) -> f64 {
    if random.chance(probability) { -1.0 } else { 1.0 }
}

fn bounds(gate: Gate) -> Bounds {
    gate.zone().unwrap().slower
}

#[test]
fn at_the_lower_bound_one_run_in_a_hundred_fails_at_most() {
    let gate = Gate::MaxSlowdown(0.02);
    for (seed, (name, shape)) in (1..).zip(SHAPES) {
        let mut random = Random::new(seed);
        let lo = bounds(gate).lo;
        // The bound itself is not beyond it, which rounding must not change.
        let tally = Tally::of(&plan(gate, 1), RUNS, || lo - 1e-7 + shape(&mut random));
        println!("| {name} | {} of {RUNS} fail at the lower bound |", tally.failed);
        assert!(tally.failed <= FAILS_OF_4000, "{name}: {} of {RUNS} failed", tally.failed);
    }
}

#[test]
fn at_the_upper_bound_one_run_in_twenty_passes_at_most() {
    let gate = Gate::MaxSlowdown(0.02);
    for (seed, (name, shape)) in (101..).zip(SHAPES) {
        let mut random = Random::new(seed);
        let hi = bounds(gate).hi;
        let tally = Tally::of(&plan(gate, 22), RUNS, || hi + 1e-7 + shape(&mut random));
        println!("| {name} | {} of {RUNS} pass at the upper bound |", tally.passed);
        assert!(tally.passed <= PASSES_OF_4000, "{name}: {} of {RUNS} passed", tally.passed);
    }
}

#[test]
fn an_equivalence_errs_no_more_often() {
    let gate = Gate::MaxDifference(0.02);
    for (seed, (name, shape)) in (201..).zip(SHAPES) {
        let mut random = Random::new(seed);
        let Bounds { lo, hi } = bounds(gate);
        for sign in [1.0, -1.0] {
            let tally = Tally::of(&plan(gate, 1), RUNS / 4, || sign * (lo - 1e-7 + shape(&mut random)));
            assert!(tally.failed <= 24, "{name}: {} of {} failed", tally.failed, RUNS / 4);
            let tally = Tally::of(&plan(gate, 1), RUNS / 4, || sign * (hi + 1e-7 + shape(&mut random)));
            assert!(tally.passed <= 78, "{name}: {} of {} passed", tally.passed, RUNS / 4);
        }
    }
}
