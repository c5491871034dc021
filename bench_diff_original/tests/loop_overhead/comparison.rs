//! The plain comparison of two loops.

use bench_diff_core::stats::StatsError;
use bench_diff_original::loop_overhead::{LoopComparison, compare_loops};

use crate::machine::{Costs, Machine};
use crate::{assert_near, mean, plan, variance};

fn compared(costs: Costs, f1: f64, f2: f64, duos: usize, seed: u64) -> LoopComparison {
    let machine = Machine::new(costs, seed);
    compare_loops(&machine, &plan(500, duos, seed), machine.function(f1), machine.function(f2))
        .expect("there are duos")
}

#[test]
fn the_difference_of_two_loops_is_free_of_overhead() {
    let comparison = compared(Costs::quiet(230.0), 30.0, 20.0, 10, 1);
    assert_eq!((comparison.elapsed_1(), comparison.elapsed_2()), (15_230.0, 10_230.0));
    assert_eq!((comparison.delta(), comparison.delta_per_call()), (5_000.0, 10.0));
    assert_eq!((comparison.standard_error(), comparison.standard_error_per_call()), (0.0, 0.0));
}

#[test]
fn the_percentage_is_positive_where_the_second_function_is_faster() {
    let percent = |f1, f2| compared(Costs::quiet(0.0), f1, f2, 2, 1).percent();
    assert_near(percent(20.0, 10.0), 50.0, 1e-12);
    assert_near(percent(10.0, 20.0), -100.0, 1e-12);
    assert_eq!(percent(20.0, 20.0), 0.0);
    // The overhead counts in the first loop: 5000 of 20,000.
    assert_near(compared(Costs::quiet(10_000.0), 20.0, 10.0, 2, 1).percent(), 25.0, 1e-12);
}

#[test]
fn what_both_loops_suffer_is_no_difference() {
    let drifting = Costs { shared: 0.03, ..Costs::quiet(230.0) };
    let comparison = compared(drifting, 2.0, 2.0, 400, 1);
    assert!(comparison.delta().abs() < 4.0 * comparison.standard_error());
    assert!(comparison.standard_error() < 0.001 * comparison.elapsed_1());
}

#[test]
fn the_standard_error_is_that_of_many_comparisons() {
    let noisy = Costs { overhead: 230.0, jitter: 5.0, own: 0.005, shared: 0.03 };
    let comparisons: Vec<_> = (1..=300).map(|seed| compared(noisy, 2.0, 2.0, 50, seed)).collect();
    let per_call: Vec<f64> = comparisons.iter().map(LoopComparison::delta_per_call).collect();
    let errors: Vec<f64> = comparisons.iter().map(LoopComparison::standard_error_per_call).collect();
    assert_near(mean(&per_call), 0.0, 4.0 * mean(&errors) / 300.0_f64.sqrt());
    assert_near(variance(&per_call).sqrt() / mean(&errors), 1.0, 0.17);
}

#[test]
fn one_duo_has_no_standard_error() {
    let machine = Machine::new(Costs::quiet(0.0), 1);
    let call = machine.function(5.0);
    let compared = |duos| compare_loops(&machine, &plan(10, duos, 1), &call, &call);
    assert_eq!(compared(1), Err(StatsError::TooFew { n: 1, needed: 2 }));
    assert_eq!(compared(0), Err(StatsError::TooFew { n: 0, needed: 2 }));
}

#[test]
#[should_panic(expected = "without a turn")]
fn a_loop_without_a_turn_is_refused() {
    let machine = Machine::new(Costs::quiet(0.0), 1);
    let call = machine.function(5.0);
    let _ = compare_loops(&machine, &plan(0, 2, 1), &call, &call);
}
