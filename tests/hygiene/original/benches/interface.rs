//! Every name of the original's interface, with the types that its programs rely on.

#![allow(deprecated)]

use std::cell::Cell;
use std::time::Duration;

use bench_diff::stats_types::{AltHyp, Ci, Hyp, HypTestResult, PositionWrtCi};
use bench_diff::{
    DiffOut, LatencyUnit, SummaryStats, bench_diff, bench_diff_with_status, bench_diff_x, bench_utils,
    get_warmup_millis, set_warmup_millis, statistics,
};

fn main() {
    assert_eq!(get_warmup_millis(), 3_000);
    set_warmup_millis(2);
    assert_eq!(get_warmup_millis(), 2);

    units();
    let mut slow_calls = 0_u64;
    let mut slow = || {
        slow_calls += 1;
        spin(1000);
    };
    let fast: fn() = || spin(10);
    let out: DiffOut = bench_diff(LatencyUnit::Nano, &mut slow, fast, 100);
    description(&out);
    inference(&out);
    paired_inference(&out);
    let out = bench_diff_with_status(LatencyUnit::Micro, &mut slow, fast, 20, |_: LatencyUnit, _: usize| ());
    assert_eq!(out.n(), 20);
    hooks();
    assert!(slow_calls > 120);
    println!("the interface is whole");
}

/// Runs for this many microseconds.
fn spin(micros: u64) {
    let mut elapsed = Duration::ZERO;
    while elapsed < Duration::from_micros(micros) {
        elapsed += bench_utils::latency(std::hint::spin_loop).max(Duration::from_nanos(20));
    }
}

fn units() {
    let unit: LatencyUnit = LatencyUnit::Milli;
    let latency = Duration::from_millis(21);
    let whole: u64 = unit.latency_as_u64(latency);
    let exact: f64 = unit.latency_as_f64(latency);
    let back: [Duration; 2] = [unit.latency_from_u64(whole), unit.latency_from_f64(exact)];
    assert_eq!((whole, exact, back), (21, 21.0, [latency; 2]));
    assert_eq!(format!("{:?}", [LatencyUnit::Micro, LatencyUnit::Nano]), "[Micro, Nano]");
}

fn description(out: &DiffOut) {
    let n: u64 = out.n();
    assert_eq!((n, out.nf()), (100, 100.0));
    let SummaryStats { count, mean, stdev, min, p1, p5, p10, p25, median, p75, p90, p95, p99, max } =
        out.summary_f1().clone();
    let whole: [u64; 12] = [count, min, p1, p5, p10, p25, median, p75, p90, p95, p99, max];
    assert!(count == n && whole[1..].is_sorted() && mean > 0.0 && stdev > 0.0);
    assert!(out.summary_f2().max > 0);

    let figures: [f64; 15] = [
        out.mean_f1() - out.mean_f2(),
        out.median_f1(),
        out.median_f2(),
        out.diff_medians_f1_f2(),
        out.ratio_medians_f1_f2(),
        out.mean_ln_f1(),
        out.stdev_ln_f1(),
        out.mean_ln_f2(),
        out.stdev_ln_f2(),
        out.mean_diff_f1_f2(),
        out.stdev_diff_f1_f2(),
        out.mean_diff_ln_f1_f2(),
        out.stdev_diff_ln_f1_f2(),
        out.ratio_medians_f1_f2_from_lns(),
        out.nf(),
    ];
    assert!(figures.iter().all(|figure| *figure > 0.0), "f1 is far slower: {figures:?}");
    assert!(out.ratio_medians_f1_f2() > 3.0);
    let counts: [u64; 3] = [out.count_f1_lt_f2(), out.count_f1_eq_f2(), out.count_f1_gt_f2()];
    assert!(counts.iter().sum::<u64>() == n && counts[2] > 90);
}

fn inference(out: &DiffOut) {
    let Ci(low, high): Ci = out.welch_ln_ci(0.05);
    let ratio: Ci = out.welch_ratio_ci(0.05);
    assert!(0.0 < low && low < high && out.welch_ln_t() > 2.0 && out.welch_ln_df() >= 99.0);
    assert_eq!(ratio.position_of(1.0), PositionWrtCi::Below);
    assert_eq!(out.welch_value_position_wrt_ratio_ci(1e9, 0.05), PositionWrtCi::Above);
    assert_eq!(Ci(1.0, 2.0).position_of(1.5), PositionWrtCi::In);

    let test: HypTestResult = out.welch_ln_test(AltHyp::Gt, 0.05);
    assert_eq!((test.alpha(), test.alt_hyp(), test.accepted()), (0.05, AltHyp::Gt, Hyp::Alt(AltHyp::Gt)));
    assert_eq!(test, HypTestResult::new(test.p(), 0.05, AltHyp::Gt));
    for alternative in [AltHyp::Lt, AltHyp::Gt, AltHyp::Ne] {
        match out.welch_ln_test(alternative, 0.01).accepted() {
            Hyp::Null => assert_eq!(alternative, AltHyp::Lt),
            Hyp::Alt(accepted) => assert_eq!(accepted, alternative),
        }
    }
}

fn paired_inference(out: &DiffOut) {
    let statistics::Ci(low, _) = out.student_diff_ln_ci(0.05);
    assert!(out.student_diff_ln_t() > 2.0 && out.student_diff_ln_df() == 99.0 && low > 0.0);
    assert!(out.student_ratio_ci(0.05).0 > 1.0);
    let below: statistics::PositionWrtCi = out.student_value_position_wrt_ratio_ci(1.0, 0.05);
    assert_eq!(below, PositionWrtCi::Below);
    let test = out.student_diff_ln_test(statistics::AltHyp::Gt, 0.05);
    assert_eq!(test.accepted(), statistics::Hyp::Alt(AltHyp::Gt));
}

fn hooks() {
    let (warmups, started, last) = (Cell::new(0), Cell::new(false), Cell::new(0));
    let out = bench_diff_x(
        LatencyUnit::Nano,
        || spin(50),
        || spin(50),
        40,
        |look: usize, elapsed: u64, target: u64| {
            warmups.set(warmups.get() + 1);
            assert!(look == warmups.get() && target == 2 && elapsed < 10_000);
        },
        || started.set(true),
        |executions: usize| last.set(executions),
    );
    assert!(warmups.get() > 0 && started.get());
    assert_eq!((out.n(), last.get()), (40, 40));
}
