//! Args that end the process, as if everything had gone well.

use std::process;

use bench_diff_harness::bench_diff;

fn leave() -> Vec<u64> {
    process::exit(0)
}

fn same(number: u64) -> u64 {
    number
}

#[bench_diff(baseline = same, args = leave())]
fn exits(number: u64) -> u64 {
    number
}

bench_diff_harness::main!();
