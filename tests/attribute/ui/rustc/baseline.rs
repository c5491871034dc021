//! Baselines that do not fit their candidate, or do not exist.

use bench_diff_harness::bench_diff;

const VALUE: u64 = 1;

fn slow() -> u64 {
    1
}

fn with_input(_: u64) -> u64 {
    1
}

fn generic<T>() -> u64 {
    1
}

unsafe fn not_safe() -> u64 {
    1
}

fn opaque() -> impl Sized {
    1
}

mod module {
    fn private() -> u64 {
        1
    }
}

#[bench_diff(baseline = slow)] //~ E0308 slow
fn another_output() -> u8 {
    1
}

#[bench_diff(baseline = opaque)] //~ E0308 opaque
fn hidden_output() -> u64 {
    1
}

#[bench_diff(baseline = with_input)] //~ E0061 with_input
fn input() -> u64 {
    1
}

#[bench_diff(baseline = VALUE)] //~ E0618 VALUE
fn value() -> u64 {
    1
}

#[bench_diff(baseline = not_safe)] //~ E0133 not_safe
fn safe() -> u64 {
    1
}

#[bench_diff(baseline = generic)] //~ E0282 generic
fn ambiguous() -> u64 {
    1
}

#[bench_diff(
    max_slowdown = "2%",
    baseline = <u8 as Default>::default, //~ E0308 default
)]
fn qualified() -> u64 {
    1
}

#[bench_diff(baseline = module::private)] //~ E0603 private
fn private() -> u64 {
    1
}

#[bench_diff(baseline = module::missing)] //~ E0425 missing
fn missing() -> u64 {
    1
}

fn main() {}
