//! Baselines that do not fit a function which returns a future.

use bench_diff_harness::bench_diff;

fn blocking() -> u64 {
    1
}

async fn future() -> u64 {
    1
}

fn text() -> String {
    String::new()
}

fn double(number: u64) -> u64 {
    2 * number
}

fn generic<T>() -> u64 {
    1
}

async fn length(_: &str) -> usize {
    1
}

fn nothing(_: &mut [u8]) {}

#[bench_diff(baseline = text)] //~ E0308 text
async fn another_output() -> u64 {
    1
}

#[bench_diff(baseline = double)] //~ E0061 double
async fn input() -> u64 {
    1
}

#[bench_diff(baseline = blocking, args = [1])] //~ E0061 blocking
async fn no_input(number: u64) -> u64 {
    number
}

#[bench_diff(baseline = length, args = [1])] //~ E0308 length
async fn another_input(number: usize) -> usize {
    number
}

#[bench_diff(baseline = nothing, setup = text)] //~ E0308 nothing
async fn another_change(text: &mut String) {
    text.clear();
}

#[bench_diff(baseline = generic)] //~ E0282 generic
async fn ambiguous() -> u64 {
    1
}

#[bench_diff(baseline = missing)] //~ E0425 missing
async fn without_baseline() -> u64 {
    1
}

#[bench_diff(baseline = future)] //~ E0308 future
fn baseline_only() -> u64 {
    1
}

fn main() {}
