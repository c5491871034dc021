//! A program of today, see `benches.rs`.

mod benches;

const IS_OLD: bool = false;

bench_diff_harness::main!();
