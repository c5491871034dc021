//! A bench that forgot its attributes.

bench_diff_harness::main!();
