//! The rates of a gate that ignores small differences, of processes in which the functions are not equally
//! fast: what is ignored is a time, so its share differs from round to round.

use bench_diff_core::{Gate, Plan};

use crate::binomial::acceptable;
use crate::random::Random;
use crate::script::{RISK, Tally, plan, round_of};

const RUNS: usize = 1000;

/// A call of the baseline, in nanoseconds: so long that a whole one is nothing.
const CALL: f64 = 1e9;

/// A tenth of it is ignored.
const IGNORED: f64 = 0.1 * CALL;

/// The spread of the speed of both functions from process to process, and that of the difference of their
/// times, as standard deviations of logarithms.
const NOISES: [(f64, f64); 4] = [(0.01, 0.01), (0.01, 0.3), (0.2, 0.05), (0.5, 0.5)];

const BETA: f64 = 0.05;
/// No pass ends a run before it can fail.
const NEVER: f64 = 1e-12;

/// Runs of functions whose times differ by this many nanoseconds in half of the processes, and by less in the
/// others.
fn tally(beta: f64, difference: f64, noise: (f64, f64), seed: u64) -> Tally {
    tally_of(1, beta, difference, noise, seed)
}

/// Such runs whose rounds have this many processes.
fn tally_of(processes: usize, beta: f64, difference: f64, (speed, spread): (f64, f64), seed: u64) -> Tally {
    let mut random = Random::new(seed);
    let plan = Plan { ignore_below: Some(IGNORED), beta, ..plan(Gate::MaxSlowdown(0.02), 1) };
    let mut process = || {
        let baseline = CALL * random.normal(speed).exp();
        round_of(baseline + difference * random.normal(spread).exp(), baseline)
    };
    Tally::of_processes(&plan, RUNS, || (0..processes).map(|_| process()).collect())
}

#[test]
fn what_is_ignored_seldom_fails_and_three_times_as_much_seldom_passes() {
    for (seed, noise) in (1..).zip(NOISES) {
        let Tally { failed, .. } = tally(NEVER, IGNORED - 1.0, noise, seed);
        let Tally { passed, .. } = tally(BETA, 3.0 * IGNORED + 1.0, noise, seed);
        let (equal, slower) = (tally(BETA, 0.0, noise, seed), tally(BETA, 5.0 * IGNORED, noise, seed));
        let (speed, spread) = (100.0 * noise.0, 100.0 * noise.1);
        println!("| {speed} % | {spread} % | {failed} | {passed} | {} | {} |", equal.passed, slower.failed);
        assert!(failed <= acceptable(RUNS, 0.01, RISK), "{noise:?}: {failed} of {RUNS} failed");
        assert!(passed <= acceptable(RUNS, 0.05, RISK), "{noise:?}: {passed} of {RUNS} passed");
        assert_eq!(equal.passed, RUNS, "{noise:?}");
        assert!(slower.failed >= RUNS * 95 / 100, "{noise:?}: {} of {RUNS} failed", slower.failed);
    }
}

#[test]
fn the_pace_of_the_processes_of_a_round_is_no_slowdown() {
    for (seed, pace) in (101..).zip([0.05, 0.2, 0.5]) {
        let Tally { failed, .. } = tally_of(4, NEVER, IGNORED - 10.0, (pace, 0.0), seed);
        assert_eq!(failed, 0, "{pace}");
        let slower = tally_of(4, BETA, 5.0 * IGNORED, (pace, 0.0), seed);
        assert_eq!(slower.failed, RUNS, "{pace}");
    }
}
