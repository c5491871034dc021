//! See `bench_diff_harness::fuzz::merge`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| bench_diff_harness::fuzz::merge(input));
