//! Ten thousand pairs, of which a thousand stay open for as many rounds as there may be. `LOAD_PAIRS` and
//! `LOAD_OPEN` say other numbers.

use std::env;
use std::hint::black_box;

use bench_diff_harness::bench_diff;

fn work(number: usize) -> usize {
    (0..black_box(200_usize)).fold(number, |sum, turn| black_box(sum ^ turn))
}

/// The work in other machine code: two functions of one code need no rounds.
fn backwards(number: usize) -> usize {
    (0..black_box(200_usize)).rev().fold(number, |sum, turn| black_box(sum ^ turn))
}

fn from_environment(name: &str, otherwise: usize) -> usize {
    env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(otherwise)
}

fn open() -> usize {
    from_environment("LOAD_OPEN", 1_000)
}

fn decided() -> usize {
    from_environment("LOAD_PAIRS", 10_000).saturating_sub(open())
}

#[bench_diff(baseline = work, args = 0..decided(), max_slowdown = "900%", beta = 0.49, warmup = "0ms")]
fn soon(number: usize) -> usize {
    backwards(number)
}

/// Forty rounds that all agree would just about prove it.
#[bench_diff(baseline = work, args = 0..open(), alpha = 1e-7, beta = 1e-12, max_time = "60min", warmup = "0ms")]
fn late(number: usize) -> usize {
    backwards(number)
}

bench_diff_harness::main!();
