//! A pair for every outcome that a measurement can have. The differences are so large, and the gates so wide,
//! that no noise of a machine changes one.

use std::cell::Cell;
use std::hint::black_box;

use bench_diff_harness::bench_diff;

/// Returns the same whatever it does, since only functions that return the same are measured.
fn work(turns: u64) -> u64 {
    let chain = |product: u64, _| black_box(product.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    black_box((0..black_box(turns)).fold(1, chain)).min(1)
}

fn one() -> u64 {
    work(2_000)
}

#[bench_diff(baseline = one, max_slowdown = "300%", warmup = "0ms")]
fn equal() -> u64 {
    work(2_000)
}

#[bench_diff(baseline = one, warmup = "0ms", slots = 200)]
fn five_times() -> u64 {
    work(10_000)
}

/// The latencies vary a hundredfold and the error rates leave no room: nothing can be proven with four slots.
#[bench_diff(baseline = erratic, judge = "welch", alpha = 1e-12, beta = 1e-12, warmup = "0ms", slots = 4)]
fn erratic() -> u64 {
    thread_local!(static TURN: Cell<u64> = const { Cell::new(0) });
    let turn = TURN.replace(TURN.get() + 1);
    work(2_000 * (1 + turn * 37 % 100))
}

mod nested {
    use super::*;

    #[bench_diff(baseline = one, report_only, max_time = "100ms", warmup = "0ms")]
    fn reported() -> u64 {
        work(4_000)
    }

    #[bench_diff(baseline = one, warmup = "0ms")]
    #[ignore = "five times as slow, on purpose"]
    fn left_out() -> u64 {
        work(10_000)
    }

    /// An output that needs to be dropped.
    #[bench_diff(baseline = five_boxes, min_speedup = 1.2, warmup = "0ms")]
    fn one_box() -> Box<u64> {
        Box::new(work(1_000))
    }

    fn five_boxes() -> Box<u64> {
        Box::new(work(5_000))
    }
}

bench_diff_harness::main!();
