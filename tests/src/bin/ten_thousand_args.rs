//! Ten thousand args of one attribute, or as many as the variable `ARGS` says.

use std::env;

use bench_diff_harness::bench_diff;

fn same(number: usize) -> usize {
    number
}

fn count() -> usize {
    env::var("ARGS").ok().and_then(|count| count.parse().ok()).unwrap_or(10_000)
}

#[bench_diff(baseline = same, args = 0..count())]
fn family(number: usize) -> usize {
    number
}

bench_diff_harness::main!();
