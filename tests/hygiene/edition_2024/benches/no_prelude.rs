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

fn same(number: u64) -> u64 {
    number
}

#[::bench_diff_harness::bench_diff(baseline = same, args = [1], bytes = 4096, items = |number| *number)]
fn input(number: u64) -> u64 {
    number
}

fn number(state: &u8) -> u64 {
    same(*state as u64)
}

fn reset(_: &u8, number: &mut u64) {
    *number = 0;
}

#[::bench_diff_harness::bench_diff(baseline = reset, setup_once = slow, setup = number)]
fn changed(state: &u8, number: &mut u64) {
    reset(state, number);
}

#[::bench_diff_harness::bench_diff(baseline = slow, threads = 2)]
async fn awaited() -> u8 {
    ::std::future::ready(1).await
}

fn filled<T: ::core::default::Default, const N: usize>() -> (T, usize) {
    (T::default(), N)
}

#[::bench_diff_harness::bench_diff(baseline = filled, types = [u8], consts = [1])]
fn instance<T: ::core::default::Default, const N: usize>() -> (T, usize) {
    filled::<T, N>()
}

::bench_diff_harness::main!();
