//! The timing of a single call.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The time of one call of `f` on the wall clock, two readings of which it includes. What `f` returns passes
/// to a black box.
///
/// It says nothing about what else the machine did meanwhile: [`bench_diff`](crate::bench_diff)
/// compares.
pub fn latency<R>(f: impl FnOnce() -> R) -> Duration {
    let start = Instant::now();
    black_box(f());
    start.elapsed()
}
