//! Benchmarks of two programs, whose functions do the same work, and most of them on other inputs.

use std::fmt;
use std::hint::black_box;

use bench_diff_harness::bench_diff;

use crate::IS_OLD;

/// One of two values: that of the old program, or that of today's.
fn either<T>(old: T, now: T) -> T {
    if IS_OLD { old } else { now }
}

fn work(turns: usize) -> u64 {
    let chain = |product: u64, _| black_box(product.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    black_box((0..black_box(turns)).fold(1, chain)).min(1)
}

/// Texts with one beginning. Today there is one more in front.
fn texts() -> Vec<String> {
    let turns = either(&[2_000, 8_000][..], &[8_100, 2_000, 8_000]);
    turns.iter().map(|turns| format!("{}{turns}", "-".repeat(64))).collect()
}

#[bench_diff(args = texts())]
fn long_args(text: &str) -> u64 {
    work(text.trim_start_matches('-').parse().expect("it is a number"))
}

/// A case that is shown by its name alone.
#[derive(Clone, Debug)]
struct Case {
    name: &'static str,
    turns: usize,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Cases of one name. Today there is one more in front.
fn twins() -> Vec<Case> {
    let turns = either(&[2_000, 8_000][..], &[500, 2_000, 8_000]);
    turns.iter().map(|&turns| Case { name: "twin", turns }).collect()
}

#[bench_diff(args = twins())]
fn of_twins(case: Case) -> u64 {
    work(case.turns)
}

/// Takes four times as long today, as long as before beside its neighbour.
#[bench_diff(args = twins())]
fn slower_of_twins(case: Case) -> u64 {
    work(case.turns * either(1, 4))
}

/// A case of which nothing but a name is known.
#[derive(Clone)]
struct Silent(usize);

impl fmt::Display for Silent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("silent")
    }
}

fn silent() -> Vec<Silent> {
    twins().into_iter().map(|case| Silent(case.turns)).collect()
}

#[bench_diff(args = silent())]
fn of_silent(case: Silent) -> u64 {
    work(case.0)
}
