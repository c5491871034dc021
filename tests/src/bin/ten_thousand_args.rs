//! Ten thousand args of one attribute, or as many as the variable `ARGS` says. The last fiftieth are all equal.

use std::env;

use bench_diff_harness::bench_diff;

fn same(number: usize) -> usize {
    number
}

fn args() -> impl Iterator<Item = usize> {
    let count = env::var("ARGS").ok().and_then(|count| count.parse().ok()).unwrap_or(10_000);
    (0..count).map(move |number| number.min(count - count / 50))
}

#[bench_diff(baseline = same, args = args())]
fn family(number: usize) -> usize {
    number
}

bench_diff_harness::main!();
