//! A pair that is soon done, and one that takes hours.

use std::hint::black_box;
use std::thread;
use std::time::Duration;

use bench_diff_harness::bench_diff;

fn work() -> u64 {
    (0..black_box(2_000_u64)).fold(0, |sum, turn| black_box(sum ^ turn))
}

#[bench_diff(baseline = work, max_slowdown = "300%", warmup = "0ms")]
fn soon() -> u64 {
    work()
}

#[bench_diff(baseline = work, warmup = "0ms")]
fn late() -> u64 {
    thread::sleep(Duration::from_secs(3600));
    work()
}

bench_diff_harness::main!();
