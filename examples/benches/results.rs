//! Functions that can fail: an `Err` is never timed silently but is an error of the pair.

use std::num::ParseIntError;

use bench_diff_harness::bench_diff;

fn numbers(count: u32) -> String {
    (0..count).map(|number| format!("{number},")).collect()
}

/// Stops at the first number that is none.
fn collected(text: &str) -> Result<u64, ParseIntError> {
    let numbers: Result<Vec<u64>, _> = text.split_terminator(',').map(str::parse).collect();
    Ok(numbers?.into_iter().sum())
}

/// Sums without a vector in between.
#[bench_diff(baseline = collected, args = [10, 1_000], setup = numbers, max_slowdown = "5%")]
fn summed(text: &str) -> Result<u64, ParseIntError> {
    text.split_terminator(',').map(str::parse::<u64>).sum()
}

bench_diff_harness::main!();
