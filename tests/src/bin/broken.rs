//! Functions that panic or end the process, beside one that works.

use std::hint::black_box;
use std::process;

use bench_diff_harness::bench_diff;

fn works() -> u64 {
    (0..black_box(2_000_u64)).fold(0, |sum, turn| black_box(sum ^ turn))
}

#[bench_diff(baseline = works, warmup = "0ms")]
fn panics() -> u64 {
    panic!("out of {}", "order")
}

#[bench_diff(baseline = panics, warmup = "0ms")]
fn baseline_panics() -> u64 {
    works()
}

#[bench_diff(baseline = works, max_slowdown = "300%", warmup = "0ms")]
fn works_too() -> u64 {
    works()
}

#[bench_diff(baseline = works, warmup = "0ms")]
#[ignore = "ends the process"]
fn exits() -> u64 {
    process::exit(0)
}

#[bench_diff(baseline = works, warmup = "0ms")]
#[ignore = "ends the process from another thread"]
fn exits_in_a_thread() -> u64 {
    std::thread::spawn(exits).join().unwrap_or_default()
}

bench_diff_harness::main!();
