//! See `bench_diff_binary::fuzz::linker`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| bench_diff_binary::fuzz::linker(input));
