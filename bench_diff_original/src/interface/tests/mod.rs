//! Comparisons on a manual clock, and statistics of given latencies. Each of the known defects of the
//! original has a test here that would find it.

mod numbers;
mod sampling;
mod scipy;
mod undefined;

use std::time::Duration;

use bench_diff_core::{Duo, ManualClock, Order, OrderPolicy, Seed};

use super::{DiffOut, DiffPlan, LatencyUnit};

/// A plan that always does the same, with a warm-up of as few duos as there can be.
fn plan(exec_count: usize) -> DiffPlan {
    DiffPlan {
        unit: LatencyUnit::Nano,
        exec_count,
        warmup: Duration::ZERO,
        order: OrderPolicy::Coin,
        seed: Seed(1),
    }
}

/// The result of these pairs of latencies of f1 and f2, in nanoseconds, on a clock of this resolution.
fn result_of(unit: LatencyUnit, resolution: u64, pairs: &[[u64; 2]]) -> DiffOut {
    let (duos, half) = pairs.as_chunks::<2>();
    let duo = |&[[f1, f2], [other_f1, other_f2]]: &[[u64; 2]; 2]| Duo {
        order: Order::CandidateFirst,
        candidate: [f1, other_f1],
        baseline: [f2, other_f2],
    };
    let half = half.first().copied();
    let plan = DiffPlan { unit, ..plan(pairs.len()) };
    DiffOut::new(&plan, resolution, 0, duos.iter().map(duo).collect(), half)
}

/// Compares two functions on a manual clock, each given as its latency in nanoseconds at every call.
fn compare(plan: &DiffPlan, mut f1: impl FnMut() -> u64, mut f2: impl FnMut() -> u64) -> DiffOut {
    let clock = ManualClock::new();
    let pass = |nanoseconds| clock.advance(Duration::from_nanos(nanoseconds));
    plan.run_on(&clock, || pass(f1()), || pass(f2()))
}

fn assert_near(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance * expected.abs().max(1.0), "{actual} is not {expected}");
}
