//! A first pair: two functions without input, `itoa` against `to_string`.

use std::hint::black_box;

use bench_diff_harness::bench_diff;

const NUMBERS: [u64; 8] = [0, 7, 42, 1_000, 65_535, 12_345_678, 4_294_967_295, 18_446_744_073_709_551_615];

/// Allocates a string for each number.
fn to_string() -> usize {
    NUMBERS.iter().map(|number| black_box(number).to_string().len()).sum()
}

/// Writes into a buffer on the stack.
#[bench_diff(baseline = to_string)]
fn itoa() -> usize {
    let mut buffer = itoa::Buffer::new();
    NUMBERS.iter().map(|number| buffer.format(*black_box(number)).len()).sum()
}

bench_diff_harness::main!();
