//! A program as the README of the original has them: it compares, with its progress on stderr, and prints
//! what came out.

use std::thread;
use std::time::Duration;

use bench_diff::stats_types::AltHyp;
use bench_diff::{DiffOut, LatencyUnit, bench_diff_with_status, set_warmup_millis};

/// At least 40 ms.
fn slow() {
    thread::sleep(Duration::from_millis(40));
}

/// At least 1 ms.
fn fast() {
    thread::sleep(Duration::from_millis(1));
}

fn main() {
    set_warmup_millis(1);
    let out: DiffOut = bench_diff_with_status(LatencyUnit::Micro, slow, fast, 7, |unit, exec_count| {
        println!("slow against fast in {unit:?}, {exec_count} executions");
    });
    print(&out);
}

fn print(out: &DiffOut) {
    const ALPHA: f64 = 0.05;

    println!("ratio_medians_f1_f2={}", out.ratio_medians_f1_f2());
    println!("welch_ratio_ci={:?}", out.welch_ratio_ci(ALPHA));
    println!("welch_ln_test_gt={:?}", out.welch_ln_test(AltHyp::Gt, ALPHA));
    println!("summary_f1={:?}", out.summary_f1());
    println!("summary_f2={:?}", out.summary_f2());
}
