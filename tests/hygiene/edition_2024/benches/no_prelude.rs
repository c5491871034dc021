//! Without the names that every module has.

#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings)]

fn slow() -> u8 {
    1
}

#[::bench_diff_harness::bench_diff(baseline = slow, max_slowdown = "2%", judge = "welch", warmup = "1ms")]
#[ignore = "reason"]
fn fast() -> u8 {
    1
}

mod module {
    #[::bench_diff_harness::bench_diff(baseline = super::slow, report_only, name = "named")]
    fn fast() -> u8 {
        1
    }
}

::bench_diff_harness::main!();
