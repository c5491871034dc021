//! Latencies of every size and spread have their numbers.

use std::hint::black_box;
use std::time::Instant;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{assert_near, compare, plan, result_of};
use crate::interface::LatencyUnit::{Micro, Milli, Nano};
use crate::interface::stats_types::{AltHyp, Ci, Hyp};
use crate::interface::{DiffOut, DiffPlan};

const SECOND: u64 = 1_000_000_000;

/// Computed as sums of raw squares, the variance of these latencies is negative about half of the time.
#[test]
fn constant_latencies_are_ordinary_data() {
    for latency in [1_000, 19_999, 20_000, 123_457, 7 * SECOND] {
        let equal = compare(&plan(100), || latency, || latency);
        assert_eq!((equal.stdev_ln_f1(), equal.stdev_diff_ln_f1_f2(), equal.welch_ln_t()), (0.0, 0.0, 0.0));
        assert_eq!(equal.welch_ln_test(AltHyp::Ne, 0.05).p(), 1.0);

        let slower = compare(&plan(100), || latency * 11 / 10, || latency);
        assert_eq!(slower.welch_ln_test(AltHyp::Gt, 0.05).accepted(), Hyp::Alt(AltHyp::Gt));
        assert_eq!(slower.welch_ln_test(AltHyp::Lt, 0.05).accepted(), Hyp::Null);
        assert!(slower.welch_ratio_ci(0.05).0 > 1.09);
    }
}

#[test]
fn a_spread_far_below_the_latency_survives() {
    // Sums of raw squares of ln(1e10) = 23 lose everything below 1e-8 of it.
    let spread = |turn: u64| [10 * SECOND + turn % 2, 10 * SECOND + (turn + 1) % 2];
    let out = result_of(Nano, 1, &(0..1000).map(spread).collect::<Vec<_>>());
    // Half a nanosecond of ten seconds, to either side.
    assert_near(out.stdev_ln_f1() * 1e10, 0.5 * (1000.0_f64 / 999.0).sqrt(), 1e-3);
    assert_near(out.stdev_diff_ln_f1_f2() * 1e10, (1000.0_f64 / 999.0).sqrt(), 1e-3);
}

#[test]
fn pairs_are_counted_by_the_sign_of_their_difference() {
    let pairs = [[1, 2], [5, 3], [7, 7], [9 * SECOND, 1], [8, 8], [3, 2], [1, 9 * SECOND]];
    let out = result_of(Nano, 1, &pairs);
    assert_eq!((out.count_f1_lt_f2(), out.count_f1_eq_f2(), out.count_f1_gt_f2()), (2, 2, 3));
}

#[test]
fn differences_of_seconds_do_not_overflow() {
    let out = result_of(Nano, 1, &[[20 * SECOND, 10 * SECOND], [40 * SECOND, 10 * SECOND]].repeat(500));
    assert_eq!(out.mean_diff_f1_f2(), 20e9);
    assert_near(out.stdev_diff_f1_f2() * 1e-9, 10.0 * (1000.0_f64 / 999.0).sqrt(), 1e-12);
    assert_eq!(out.summary_f1().max, 40 * SECOND);
    let days = result_of(Milli, 1, &[[86_400 * SECOND, 172_800 * SECOND]; 4]);
    assert_eq!((days.mean_diff_f1_f2(), days.ratio_medians_f1_f2()), (-86_400e3, 0.5));
}

#[test]
fn latencies_below_the_unit_are_measured() {
    let out = compare(&DiffPlan { unit: Micro, ..plan(10) }, || 900, || 300);
    assert_eq!((out.mean_f1(), out.median_f2(), out.mean_diff_f1_f2()), (0.9, 0.3, 0.6));
    assert_near(out.ratio_medians_f1_f2(), 3.0, 1e-12);
    assert_near(out.ratio_medians_f1_f2_from_lns(), 3.0, 1e-12);
    assert_eq!(out.welch_ln_test(AltHyp::Gt, 0.05).accepted(), Hyp::Alt(AltHyp::Gt));
    assert_eq!((out.summary_f1().median, out.summary_f2().median), (1, 0), "whole units, rounded");
}

#[test]
fn a_coarse_unit_loses_nothing_of_the_statistics() {
    // 20.9 and 20.1 ms are both 20 whole milliseconds.
    let pairs = [[20_900_000, 20_100_000], [20_910_000, 20_120_000], [20_890_000, 20_090_000]];
    let [milli, nano] = [Milli, Nano].map(|unit| result_of(unit, 1, &pairs));
    assert_near(milli.mean_diff_f1_f2(), 0.796_666_666_666_667, 1e-12);
    assert_near(milli.ratio_medians_f1_f2(), 20.9 / 20.1, 1e-12);
    assert_near(milli.welch_ln_t(), nano.welch_ln_t(), 1e-9);
    assert_near(milli.mean_diff_ln_f1_f2(), nano.mean_diff_ln_f1_f2(), 1e-12);
    assert_near(milli.mean_ln_f1(), nano.mean_ln_f1() - 1e6_f64.ln(), 1e-12);
}

/// Numbers that are computed on every call would take a thousand times as long as all of them once.
#[test]
fn the_numbers_are_computed_once() {
    let pairs: Vec<[u64; 2]> =
        (0..200_000).map(|i| [20_000 + i * 7919 % 1009, 20_000 + i * 104_729 % 997]).collect();
    let start = Instant::now();
    let out = result_of(Nano, 1, &pairs);
    let all = start.elapsed();

    let readings = |_| {
        let start = Instant::now();
        for _ in 0..1000 {
            black_box((out.mean_f1(), out.mean_f2(), out.median_f1(), out.median_f2(), out.summary_f1()));
            black_box((out.mean_ln_f1(), out.stdev_ln_f2(), out.welch_ln_t(), out.stdev_diff_ln_f1_f2()));
        }
        start.elapsed()
    };
    // The shortest of some, since the machine may have something else to do meanwhile.
    let thousand = (0..9).map(readings).min().unwrap();
    assert!(thousand < all, "{thousand:?} for a thousand readings, {all:?} for the result");
}

proptest! {
    #[test]
    fn what_is_said_of_the_pairs_adds_up(pairs in vec([1_u64..100_000, 1_u64..100_000], 2..80)) {
        let out = result_of(Nano, 1, &pairs);
        prop_assert_eq!(out.n(), pairs.len() as u64);
        prop_assert_eq!(out.count_f1_lt_f2() + out.count_f1_eq_f2() + out.count_f1_gt_f2(), out.n());
        prop_assert!((out.mean_diff_f1_f2() - (out.mean_f1() - out.mean_f2())).abs() < 1e-6);
        prop_assert!((out.mean_diff_ln_f1_f2() - (out.mean_ln_f1() - out.mean_ln_f2())).abs() < 1e-9);
        for alternative in [AltHyp::Lt, AltHyp::Gt, AltHyp::Ne] {
            prop_assert!((0.0..=1.0).contains(&out.welch_ln_test(alternative, 0.05).p()));
        }
        let summary = out.summary_f1();
        let percentiles = [
            summary.min, summary.p1, summary.p5, summary.p10, summary.p25, summary.median, summary.p75,
            summary.p90, summary.p95, summary.p99, summary.max,
        ];
        prop_assert!(percentiles.is_sorted());
    }

    /// The interval holds 1 where the two-sided test accepts equality, and nowhere else.
    #[test]
    fn the_interval_says_what_the_test_says(pairs in vec([900_u64..1100, 950_u64..1150], 2..40), alpha in 0.001..0.5) {
        let out = result_of(Nano, 1, &pairs);
        let accepted = out.welch_ln_test(AltHyp::Ne, alpha);
        // The tail of the library is off by up to 1e-5 where p is near 1, and the ends meet where p is alpha.
        prop_assume!((accepted.p() - alpha).abs() > 1e-4);
        let is_inside = out.welch_value_position_wrt_ratio_ci(1.0, alpha) == crate::stats_types::PositionWrtCi::In;
        prop_assert_eq!(is_inside, accepted.accepted() == Hyp::Null);
    }
}

/// 1 - 1e-17 is 1.
#[test]
#[expect(deprecated, reason = "the paired test stays for its users")]
fn an_interval_is_as_certain_as_it_is_asked_to_be() {
    let out = result_of(Nano, 1, &[[20_100, 20_000], [20_300, 19_900], [20_200, 20_100], [20_000, 20_200]]);
    for interval_of in [DiffOut::welch_ln_ci, DiffOut::student_diff_ln_ci] {
        let widths = [1e-3, 1e-15, 1e-16, 1e-17, 1e-30].map(|alpha| {
            let Ci(low, high) = interval_of(&out, alpha);
            high - low
        });
        assert!(widths.is_sorted_by(|one, other| one < other) && widths[4].is_finite(), "{widths:?}");
    }
}
