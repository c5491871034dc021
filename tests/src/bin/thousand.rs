//! A thousand args, and a thousand more that are all equal.

use bench_diff_harness::bench_diff;

fn same(number: usize) -> usize {
    number
}

#[bench_diff(baseline = same, args = 0..1_000)]
fn different(number: usize) -> usize {
    number
}

#[bench_diff(baseline = same, args = [7; 1_000])]
fn equal(number: usize) -> usize {
    number
}

bench_diff_harness::main!();
