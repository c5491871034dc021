//! Benchmarks of two programs, whose functions do the same work, and most of them on other inputs.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
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
fn of_twins(case: &Case) -> u64 {
    work(case.turns)
}

/// Takes four times as long today, as long as before beside its neighbour.
#[bench_diff(args = twins())]
fn slower_of_twins(case: &Case) -> u64 {
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
fn of_silent(case: &Silent) -> u64 {
    work(case.0)
}

/// A case of one name, which is longer today.
fn longer() -> [Case; 1] {
    [Case { name: "longer", turns: either(2_000, 8_000) }]
}

#[bench_diff(args = longer())]
fn of_args(case: &Case) -> u64 {
    work(case.turns)
}

fn numbers() -> Vec<u64> {
    (0..either(2_000, 8_000)).collect()
}

#[bench_diff(setup = numbers)]
fn of_setup(mut numbers: Vec<u64>) -> u64 {
    numbers.reverse();
    work(numbers.len())
}

#[bench_diff(setup = numbers, same_work = "numbers")]
fn of_same_work(numbers: &[u64]) -> u64 {
    work(numbers.len())
}

#[bench_diff(setup_once = numbers)]
fn of_state(numbers: &[u64]) -> u64 {
    work(numbers.len())
}

/// The same numbers on both sides, of every arg.
fn halves(_: Case) -> Vec<f64> {
    vec![0.5; 2_000]
}

#[bench_diff(args = longer(), setup = halves)]
fn slower_of_equal(halves: &mut [f64]) -> u64 {
    work(halves.len() * either(1, 4))
}

fn random() -> Vec<u64> {
    let random = RandomState::new();
    (0..2_000_u64).map(|number| random.hash_one(number)).collect()
}

#[bench_diff(setup = random)]
fn slower_of_random(numbers: &[u64]) -> u64 {
    work(numbers.len() * either(1, 4))
}

/// Of which nothing can be shown.
struct Hidden(usize);

fn hidden() -> Hidden {
    Hidden(2_000)
}

#[bench_diff(setup = hidden)]
fn slower_of_hidden(hidden: &Hidden) -> u64 {
    work(hidden.0 * either(1, 4))
}

fn panicking() -> Vec<u64> {
    if IS_OLD { numbers() } else { panic!("there is no input today") }
}

#[bench_diff(setup = panicking)]
fn of_panicking(numbers: &[u64]) -> u64 {
    work(numbers.len())
}
