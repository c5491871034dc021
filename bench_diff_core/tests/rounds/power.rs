//! The number of rounds to a verdict, and the slowdowns found in 120 of them.

use std::time::Duration;

use bench_diff_core::{Gate, Plan};

use crate::random::Random;
use crate::script::{Tally, judged, plan};

const RUNS: usize = 1000;

fn tally(spread: f64, slowdown: f64, pairs: usize) -> Tally {
    let mut random = Random::new(slowdown.to_bits() ^ spread.to_bits() ^ pairs as u64);
    let delta = f64::ln_1p(slowdown);
    let tally = Tally::of(&plan(Gate::MaxSlowdown(0.02), pairs), RUNS, || delta + random.normal(spread));
    let Tally { failed, passed, .. } = &tally;
    let rounds = tally.median_rounds();
    println!(
        "| {spread} | {slowdown} | {pairs} | {failed} fail, {passed} pass of {RUNS} | {rounds} rounds |"
    );
    tally
}

#[test]
fn quiet_pairs_pass_in_five_rounds_and_fail_in_thirteen() {
    for spread in [0.0005, 0.002, 0.005] {
        let equal = tally(spread, 0.0, 22);
        assert_eq!((equal.failed, equal.passed, equal.median_rounds()), (0, RUNS, 5), "{spread}");
        let slower = tally(spread, 0.05, 22);
        assert_eq!((slower.failed, slower.passed, slower.median_rounds()), (RUNS, 0, 13), "{spread}");
        assert_eq!(tally(spread, 0.05, 1).median_rounds(), 9);
    }
}

/// The share of 1000 runs, and the rounds, at most or at least.
#[test]
fn noisy_pairs_take_more_rounds_and_are_found_as_long_as_there_are_any() {
    for (spread, passed, rounds) in [(0.01, 990, 6), (0.02, 980, 9), (0.03, 985, 12), (0.05, 980, 38)] {
        let equal = tally(spread, 0.0, 22);
        let is_good = equal.passed >= passed && equal.median_rounds() <= rounds && equal.failed == 0;
        assert!(is_good, "{spread}: {} passed in {} rounds", equal.passed, equal.median_rounds());
    }
    for (spread, slowdown, failed, rounds) in [
        (0.01, 0.05, 990, 14),
        (0.02, 0.05, 985, 16),
        (0.03, 0.05, 985, 25),
        (0.05, 0.05, 975, 48),
        (0.05, 0.1, 990, 18),
        (0.1, 0.2, 980, 19),
        (0.25, 0.5, 950, 22),
    ] {
        let slower = tally(spread, slowdown, 22);
        let is_good = slower.failed >= failed && slower.median_rounds() <= rounds;
        assert!(is_good, "{spread}, {slowdown}: {} failed in {}", slower.failed, slower.median_rounds());
        assert!(slower.passed <= RUNS / 20, "{spread}, {slowdown}: {} passed", slower.passed);
    }
}

/// The speed of a shared machine changes from one call of a slow function to the next. The least evidence is
/// all that `max_time` allows, and decided only 386 of these runs.
#[test]
fn a_slow_function_on_an_unsteady_machine_has_a_verdict() {
    let mut random = Random::new(1);
    let plan = Plan { max_time: Duration::ZERO, ..plan(Gate::MaxSlowdown(0.02), 24) };
    let slower = Tally::of(&plan, RUNS, || f64::ln_1p(0.3) + random.normal(0.17));
    assert!(slower.failed >= 850 && slower.passed == 0, "{} of {RUNS} failed", slower.failed);
}

/// Runs of quiet pairs pass before they find a smaller slowdown.
#[test]
fn the_slowdown_that_runs_would_find_fails() {
    for (spread, pairs) in [(0.002, 1), (0.01, 1), (0.02, 22)] {
        let mut random = Random::new(7);
        let equal: Vec<f64> = (0..120).map(|_| random.normal(spread)).collect();
        let mde = judged(&plan(Gate::MaxSlowdown(0.02), pairs), &equal).0.mde.unwrap();
        let found = tally(spread, mde, pairs);
        assert!(found.failed >= RUNS * 95 / 100, "{spread}: {} failed at {mde}", found.failed);
    }
}

#[test]
fn a_quiet_pair_would_find_what_it_cannot_let_pass() {
    for (gate, ratio) in
        [(Gate::MaxSlowdown(0.02), 1.0_f64), (Gate::MinSpeedup(1.5), 0.5), (Gate::MaxDifference(0.02), 1.0)]
    {
        let mut random = Random::new(3);
        let contrasts: Vec<f64> = (0..120).map(|_| ratio.ln() + random.normal(0.001)).collect();
        let mde = judged(&plan(gate, 1), &contrasts).0.mde.unwrap();
        assert_eq!(mde, gate.zone().unwrap().slower.hi.exp_m1(), "{gate:?}");
    }
}
