//! Ten thousand args of one attribute.

use bench_diff_harness::bench_diff;

fn same(number: usize) -> usize {
    number
}

#[bench_diff(baseline = same, args = 0..10_000)]
fn family(number: usize) -> usize {
    number
}

bench_diff_harness::main!();
