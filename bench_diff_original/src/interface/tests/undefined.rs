//! A value that cannot be computed is NaN, and nothing is decided on it.

#![expect(deprecated, reason = "the paired test stays for its users")]

use std::panic::catch_unwind;

use bench_diff_core::stats::StatsError;

use super::{assert_near, compare, plan, result_of};
use crate::interface::stats_types::{AltHyp, Hyp, HypTestResult};
use crate::interface::{DiffOut, LatencyUnit};

/// Asserts that no test and no interval of this result has a decision.
fn assert_undecided(out: &DiffOut, alpha: f64) {
    let tests: [fn(&DiffOut, AltHyp, f64) -> HypTestResult; 2] =
        [DiffOut::welch_ln_test, DiffOut::student_diff_ln_test];
    for test in tests {
        for alternative in [AltHyp::Lt, AltHyp::Gt, AltHyp::Ne] {
            let result = test(out, alternative, alpha);
            assert!(catch_unwind(|| result.accepted()).is_err(), "{result:?} at {alpha}");
        }
    }
    for interval in [
        out.welch_ln_ci(alpha),
        out.welch_ratio_ci(alpha),
        out.student_diff_ln_ci(alpha),
        out.student_ratio_ci(alpha),
    ] {
        assert!(interval.0.is_nan() && interval.1.is_nan(), "{interval:?} at {alpha}");
    }
    assert!(catch_unwind(|| out.welch_value_position_wrt_ratio_ci(1.0, alpha)).is_err());
    assert!(catch_unwind(|| out.student_value_position_wrt_ratio_ci(1.0, alpha)).is_err());
}

#[test]
fn one_execution_is_described_and_decides_nothing() {
    let out = compare(&plan(1), || 30_000, || 20_000);
    assert_eq!((out.n(), out.mean_f1(), out.median_f2(), out.ratio_medians_f1_f2()), (1, 3e4, 2e4, 1.5));
    assert_near(out.ratio_medians_f1_f2_from_lns(), 1.5, 1e-12);
    assert!(out.summary_f1().stdev.is_nan() && out.stdev_ln_f2().is_nan() && out.stdev_diff_f1_f2().is_nan());
    assert!(out.welch_ln_t().is_nan() && out.welch_ln_df().is_nan() && out.student_diff_ln_t().is_nan());
    assert_eq!(out.welch_ln(), Err(StatsError::TooFew { n: 1, needed: 2 }));
    assert_undecided(&out, 0.05);
}

#[test]
fn a_level_that_is_none_decides_nothing() {
    let out = compare(&plan(20), || 30_000, || 20_000);
    for alpha in [0.0, 1.0, -0.05, 1.5, f64::NAN] {
        assert_undecided(&out, alpha);
    }
    assert_eq!(out.welch_ln_test(AltHyp::Gt, 0.05).accepted(), Hyp::Alt(AltHyp::Gt));
}

#[test]
fn a_latency_of_zero_is_described_and_decides_nothing() {
    for pairs in [
        &[[0, 0]; 8],
        &[[0, 5]; 8],
        &[[5, 0]; 8],
        &[[7, 5], [0, 5], [7, 5], [6, 5], [6, 6], [7, 6], [7, 7], [8, 7]],
    ] {
        let out = result_of(LatencyUnit::Micro, 1, pairs);
        assert_eq!(out.n(), 8);
        assert!(out.mean_f1() >= 0.0 && out.mean_f2() >= 0.0);
        assert_eq!(out.welch_ln(), Err(StatsError::NotFinite));
        assert!(out.mean_diff_ln_f1_f2().is_nan() && out.ratio_medians_f1_f2_from_lns().is_nan());
        assert_undecided(&out, 0.05);
    }
}

#[test]
fn functions_that_take_no_time_are_not_called_equal() {
    let out = compare(&plan(50), || 0, || 0);
    assert_eq!((out.n(), out.mean_f1(), out.median_f2()), (50, 0.0, 0.0));
    assert!(out.ratio_medians_f1_f2().is_nan());
    assert_undecided(&out, 0.05);
}

#[test]
#[should_panic(expected = "exec_count is 0")]
fn nothing_to_measure_is_an_error() {
    let _ = compare(&plan(0), || 20_000, || 20_000);
}

#[test]
fn two_executions_are_enough_for_a_test() {
    for pairs in
        [[[20_100, 20_000], [20_300, 20_000]], [[20_000, 20_000]; 2], [[20_000, 20_100], [20_000, 30_000]]]
    {
        let out = result_of(LatencyUnit::Nano, 1, &pairs);
        for result in [out.welch_ln_test(AltHyp::Gt, 0.05), out.student_diff_ln_test(AltHyp::Gt, 0.05)] {
            assert!((0.0..=1.0).contains(&result.p()), "{result:?}");
        }
        assert!(out.welch_ln_ci(0.05).0.is_finite());
    }
}
