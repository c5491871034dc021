//! Rounds of given contrasts.

use std::time::Duration;

use bench_diff_core::{
    ClockKind, Duo, Gate, Judgement, Measurement, Order, Plan, Recording, Rounds, Verdict, Warmup,
};

/// The chance that a count is not accepted although the true rate is exactly what is promised.
pub(crate) const RISK: f64 = 1.2e-4;

/// A slot of the baseline, in nanoseconds: so long that a whole nanosecond is nothing.
const SLOT: f64 = 1e9;

/// A plan of 120 rounds for a gate of which this many pairs share alpha.
pub(crate) fn plan(gate: Gate, pairs: usize) -> Plan {
    Plan {
        zone: gate.zone(),
        alpha: 0.01 / pairs as f64,
        max_time: Duration::from_secs(100_000_000),
        ..Plan::default()
    }
}

/// A round that says this.
pub(crate) fn round(contrast: f64) -> Recording {
    round_of(SLOT * contrast.exp(), SLOT)
}

/// A round of calls that last this many nanoseconds.
pub(crate) fn round_of(candidate: f64, baseline: f64) -> Recording {
    let duo = Duo {
        order: Order::BaselineFirst,
        candidate: [candidate.round() as u64; 2],
        baseline: [baseline.round() as u64; 2],
    };
    let warmup =
        Warmup { duos: Vec::new(), empty: Vec::new(), iterations: 1, clock: ClockKind::Wall, resolution: 1 };
    Recording::of(warmup, vec![duo])
}

/// Returns the verdict on these rounds, and the number of rounds that it took.
fn run(plan: &Plan, mut script: impl FnMut() -> Vec<Recording>) -> (Verdict, usize) {
    let mut judge = Rounds::new(plan);
    let mut count = 0;
    while judge.next().is_some() {
        judge.add(&script()).unwrap();
        count += 1;
    }
    (judge.verdict().unwrap(), count)
}

/// The judgement of these rounds, as far as a live run would have seen them.
pub(crate) fn judged(plan: &Plan, contrasts: &[f64]) -> (Judgement, usize) {
    let mut judge = Rounds::new(plan);
    let mut rounds = Vec::new();
    for contrast in contrasts {
        if judge.next().is_none() {
            break;
        }
        rounds.push(vec![round(*contrast)]);
        judge.add(&rounds[rounds.len() - 1]).unwrap();
    }
    let seen = rounds.len();
    (Measurement::of(plan, rounds).unwrap().judgement, seen)
}

/// The number of runs with each verdict, and the rounds of each in ascending order.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) failed: usize,
    pub(crate) passed: usize,
    rounds: Vec<usize>,
}

impl Tally {
    pub(crate) fn of(plan: &Plan, runs: usize, mut script: impl FnMut() -> f64) -> Self {
        Self::of_rounds(plan, runs, || round(script()))
    }

    pub(crate) fn of_rounds(plan: &Plan, runs: usize, mut script: impl FnMut() -> Recording) -> Self {
        Self::of_processes(plan, runs, || vec![script()])
    }

    /// Counts runs whose rounds have several processes.
    pub(crate) fn of_processes(plan: &Plan, runs: usize, mut script: impl FnMut() -> Vec<Recording>) -> Self {
        let mut tally = Self::default();
        for _ in 0..runs {
            let (verdict, rounds) = run(plan, &mut script);
            tally.failed += usize::from(verdict == Verdict::Fail);
            tally.passed += usize::from(verdict == Verdict::Pass);
            tally.rounds.push(rounds);
        }
        tally.rounds.sort_unstable();
        tally
    }

    pub(crate) fn median_rounds(&self) -> usize {
        self.rounds[self.rounds.len() / 2]
    }
}
