//! Functions of equal medians and unequal spread, which break tests that trade the labels of single slots.
//!
//! The logarithm of log-normal noise is symmetric, so the contrasts are symmetric around the true effect, and
//! the level is exact whatever the two spreads are (Efron 1969). The two spreads are those in which
//! rust-bench-diff is tested; the smaller of two slots instead of their mean, for example, fails in every run
//! here (numpy simulation).

use bench_diff_core::{Coin, Duo, Gate, OrderPolicy, Seed, Verdict};

use crate::gate::bounds;
use crate::random::Random;
use crate::simulation::{HORIZON, Tally, WARMUP_DUOS, nanoseconds, plan, verdict, warmup};

const LOW: f64 = 0.0912;
const HIGH: f64 = 0.4377;

/// Wide enough for a decision in such noise, so that there are errors to be made.
const WIDE: Gate = Gate::MaxSlowdown(0.4);

fn verdict_of_run(gate: Gate, delta: f64, [candidate, baseline]: [f64; 2], run: u64) -> Verdict {
    let mut random = Random::new(run);
    let mut coin = Coin::new(OrderPolicy::Coin, Seed(run).for_pair("unequal variances"));
    let mut duo = || Duo {
        order: coin.flip(),
        candidate: [(); 2].map(|()| nanoseconds(random.normal(candidate), delta)),
        baseline: [(); 2].map(|()| nanoseconds(random.normal(baseline), 0.0)),
    };
    let warmup = warmup((0..WARMUP_DUOS).map(|_| duo()).collect(), 1);
    let duos: Vec<Duo> = (0..HORIZON / 4).map(|_| duo()).collect();
    verdict(&plan(gate), &warmup, &duos)
}

fn holds_for(spreads: [f64; 2]) {
    let tally =
        |gate, delta| -> Tally { (0..2000).map(|run| verdict_of_run(gate, delta, spreads, run)).collect() };

    let at_lo = tally(WIDE, bounds(WIDE).lo);
    println!("{spreads:?} at lo: {at_lo:?}");
    assert!(at_lo.fails <= 29, "{spreads:?}: {at_lo:?}");
    assert!(at_lo.inconclusive <= 20, "it has to decide: {at_lo:?}");

    let equal_medians = tally(Gate::MaxSlowdown(0.02), 0.0);
    println!("{spreads:?} at equal medians: {equal_medians:?}");
    assert!(equal_medians.fails <= 29, "{spreads:?}: {equal_medians:?}");
}

#[test]
fn a_candidate_that_spreads_more_does_not_fail_for_it() {
    holds_for([HIGH, LOW]);
}

#[test]
fn a_candidate_that_spreads_less_does_not_fail_for_it() {
    holds_for([LOW, HIGH]);
}
