use std::hint::black_box;

use bench_diff_harness::bench_diff;

#[bench_diff(setup_once = instructions::square)]
fn misses(square: &[u64]) -> u64 {
    instructions::misses(square)
}

#[bench_diff(setup_once = instructions::bytes)]
fn mispredictions(bytes: &[u8]) -> u64 {
    instructions::mispredictions(bytes)
}

#[bench_diff]
fn hidden() -> u64 {
    instructions::hidden(black_box(7))
}

#[bench_diff]
fn work() -> u64 {
    instructions::work(black_box(7))
}

#[bench_diff]
fn unchanged() -> u64 {
    instructions::unchanged(black_box(7))
}

bench_diff_harness::main!();
