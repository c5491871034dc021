//! Pairs whose inputs or outputs are wrong, beside one that works.

use std::cell::Cell;
use std::hint::black_box;

use bench_diff_harness::bench_diff;

fn turns(count: usize) -> u64 {
    (0..black_box(count) as u64).fold(1, |product, turn| black_box(product ^ turn))
}

fn numbers(len: usize) -> Vec<u64> {
    (0..len as u64).map(|number| number + turns(10) - turns(10)).collect()
}

#[bench_diff(baseline = numbers, args = [1, 1_000], max_slowdown = "300%", warmup = "0ms")]
fn different_outputs(len: usize) -> Vec<u64> {
    let mut numbers = numbers(len);
    if len > 500 {
        numbers[500] += 1;
    }
    numbers
}

fn sort(numbers: &mut [u64]) {
    numbers.sort();
}

fn shuffled() -> Vec<u64> {
    vec![3, 1, 2]
}

#[bench_diff(baseline = sort, setup = shuffled, warmup = "0ms")]
fn different_inputs(numbers: &mut [u64]) {
    numbers.sort_by_key(|number| u64::MAX - number);
}

fn parse(text: &str) -> Result<u64, std::num::ParseIntError> {
    text.parse()
}

#[bench_diff(baseline = parse, args = ["one"], warmup = "0ms")]
fn returns_err(text: &str) -> Result<u64, std::num::ParseIntError> {
    parse(text)
}

/// Fails when it is timed, not when it is checked.
#[bench_diff(baseline = once_more, warmup = "0ms")]
fn returns_err_later() -> Result<u64, String> {
    thread_local!(static CALLS: Cell<u64> = const { Cell::new(0) });
    CALLS.set(CALLS.get() + 1);
    if CALLS.get() > 20 { Err(format!("call {}", CALLS.get())) } else { Ok(turns(20_000)) }
}

fn once_more() -> Result<u64, String> {
    Ok(turns(20_000))
}

fn broken() -> [u8; 2] {
    panic!("out of inputs")
}

#[bench_diff(baseline = sum, setup = broken, warmup = "0ms")]
fn setup_panics(bytes: &[u8]) -> u8 {
    sum(bytes)
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().sum()
}

fn no_args() -> Vec<usize> {
    panic!("out of args")
}

#[bench_diff(baseline = turns, args = no_args(), warmup = "0ms")]
fn args_panic(count: usize) -> u64 {
    turns(count)
}

#[bench_diff(baseline = turns, args = [], warmup = "0ms")]
fn args_are_empty(count: usize) -> u64 {
    turns(count)
}

fn negative(_: usize) -> f64 {
    -0.5
}

#[bench_diff(baseline = turns, args = [1], max_slowdown = negative, warmup = "0ms")]
fn margin_is_negative(count: usize) -> u64 {
    turns(count)
}

#[bench_diff(baseline = turns, args = [2_000], max_slowdown = "300%", warmup = "0ms")]
fn works(count: usize) -> u64 {
    turns(count)
}

fn words() -> &'static str {
    "one two"
}

fn first_word<'a>(text: &mut &'a str) -> Option<&'a str> {
    let (word, rest) = text.split_once(' ')?;
    *text = rest;
    Some(word)
}

/// Changes the input as it should.
#[bench_diff(baseline = first_word, setup = words, warmup = "0ms")]
fn different_word<'a>(text: &mut &'a str) -> Option<&'a str> {
    first_word(text).map(|_| "one two")
}

fn take_last(numbers: &mut Vec<u64>) -> Option<u64> {
    numbers.pop()
}

fn same_last(candidate: &Option<u64>, baseline: &Option<u64>) -> bool {
    candidate == baseline
}

/// Returns what it should, and takes another one.
#[bench_diff(baseline = take_last, setup = shuffled, check = same_last, warmup = "0ms")]
fn takes_another(numbers: &mut Vec<u64>) -> Option<u64> {
    let last = numbers.last().copied();
    numbers.remove(0);
    last
}

bench_diff_harness::main!();
