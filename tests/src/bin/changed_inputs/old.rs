//! A program of an old revision, see `benches.rs`.

mod benches;

const IS_OLD: bool = true;

bench_diff_harness::main!();
