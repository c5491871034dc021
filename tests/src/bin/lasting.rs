//! A pair that is soon decided, and one that goes on for a while.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, SystemTime};

use bench_diff_harness::bench_diff;

fn work() -> u64 {
    (0..black_box(2_000_u64)).fold(0, |sum, turn| black_box(sum ^ turn))
}

#[bench_diff(baseline = work, max_slowdown = "300%", warmup = "0ms")]
fn soon() -> u64 {
    work()
}

/// Its latencies vary too much for a verdict in any number of rounds.
#[bench_diff(baseline = late, alpha = 1e-12, beta = 1e-12, max_time = "60min", warmup = "0ms")]
fn late() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    thread::sleep(Duration::from_millis(u64::from(now.subsec_nanos()) / 1000 % 100));
    work()
}

bench_diff_harness::main!();
