//! Functions that allocate in the ways in which programs do.

use std::fmt::Write;
use std::hint::black_box;
use std::thread;

pub(crate) fn reserved() -> Vec<u64> {
    Vec::with_capacity(black_box(1_000))
}

pub(crate) fn pushed() -> Vec<u64> {
    let mut numbers = Vec::new();
    for number in 0..black_box(1_000) {
        numbers.push(number);
    }
    numbers
}

pub(crate) fn formatted() -> String {
    let mut text = String::new();
    for number in 0..black_box(100_u64) {
        let _ = write!(text, "{number}, ");
        text += &format!("{number:x}; ");
    }
    text
}

/// The sort needs room, and frees it.
pub(crate) fn sorted(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort();
    numbers
}

pub(crate) fn filtered(numbers: &[u64]) -> Vec<u64> {
    numbers.iter().copied().filter(|number| number % 3 == 0).collect()
}

pub(crate) fn extended(numbers: &mut Vec<u64>) {
    numbers.extend(0..black_box(3_000));
}

/// Frees what it was given, and then needs half as much.
pub(crate) fn replaced(numbers: Vec<u64>) -> Vec<u64> {
    let half = numbers.len() / 2;
    drop(numbers);
    black_box(vec![1; half])
}

pub(crate) fn threaded() -> u64 {
    let threads: Vec<_> = (1..=3)
        .map(|number| {
            thread::spawn(move || black_box(vec![number; 1_000 * number as usize]).iter().sum::<u64>())
        })
        .collect();
    threads.into_iter().map(|thread| thread.join().unwrap_or_default()).sum()
}

/// The input of the functions that take one.
pub(crate) fn shuffled() -> Vec<u64> {
    (0..1_000).map(|number| number * 7919 % 1_000).collect()
}
