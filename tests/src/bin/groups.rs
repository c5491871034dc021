//! Several candidates for one baseline. The differences are so large that no noise of a machine
//! changes an outcome.

use std::hint::black_box;

use bench_diff_harness::bench_diff;

fn work(turns: u64) -> u64 {
    let chain = |product: u64, _| black_box(product.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    black_box((0..black_box(turns)).fold(1, chain)).min(1)
}

fn reference(times: u64) -> u64 {
    work(times * 10_000)
}

#[bench_diff(baseline = reference, args = [1, 2], max_slowdown = "3000%", warmup = "0ms")]
fn slow(times: u64) -> u64 {
    work(times * 50_000)
}

#[bench_diff(baseline = alone, max_slowdown = "300%", warmup = "0ms")]
fn alone() -> u64 {
    work(10_000)
}

#[bench_diff(baseline = reference, args = [1, 2], max_slowdown = "300%", warmup = "0ms")]
fn fast(times: u64) -> u64 {
    work(times * 2_000)
}

mod nested {
    use super::*;

    #[bench_diff(baseline = reference, args = [1], max_slowdown = "300%", warmup = "0ms")]
    fn elsewhere(times: u64) -> u64 {
        work(times * 10_000)
    }
}

bench_diff_harness::main!();
