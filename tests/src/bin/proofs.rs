//! Functions that are the same machine code as their baseline, and one that is not.

use std::hint::black_box;

use bench_diff_harness::bench_diff;

fn numbers() -> Vec<u64> {
    black_box((0..1000).collect())
}

/// The line of its panic keeps the compiler from making it one with its copy.
#[inline(never)]
fn old(numbers: &[u64]) -> u64 {
    numbers[black_box(0)..].iter().fold(7, |hash: u64, number| black_box(hash ^ number).wrapping_mul(31))
}

#[inline(never)]
fn new(numbers: &[u64]) -> u64 {
    numbers[black_box(0)..].iter().fold(7, |hash: u64, number| black_box(hash ^ number).wrapping_mul(31))
}

fn of_old(numbers: &[u64]) -> u64 {
    old(numbers)
}

#[bench_diff(baseline = of_old, setup = numbers, max_slowdown = "900%")]
fn copy(numbers: &[u64]) -> u64 {
    new(numbers)
}

/// It cannot be what it is said to be.
#[bench_diff(baseline = of_old, setup = numbers, min_speedup = 1.5)]
fn not_faster(numbers: &[u64]) -> u64 {
    new(numbers)
}

/// Twice the work.
#[bench_diff(baseline = of_old, setup = numbers, check = false)]
fn changed(numbers: &[u64]) -> u64 {
    new(numbers) ^ new(&numbers[1..])
}

bench_diff_harness::main!();
