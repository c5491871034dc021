//! One loop that touches registers only, called from two places and from one.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bench_diff_core::{Closures, Coin, Instruments, MeasureError, Order, OrderPolicy, Seed, measure};

use crate::plans::endless;
use crate::{RUNS, median};

/// The duos from which a ratio is taken.
const DUOS: usize = 2000;

/// A chain of shifts and exclusive ors (Marsaglia 2003), about 20 us, as a copy of its own wherever it is
/// called.
#[inline(always)]
fn registers() -> u64 {
    (0..black_box(10_000)).fold(1, |mut state: u64, _| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^ (state << 17)
    })
}

/// The largest difference allowed of a call site from itself.
const ALLOWED: f64 = 0.1;

pub(crate) fn print(instruments: &Instruments<'_>) -> Result<(), Box<dyn Error>> {
    println!("| one loop against itself | median difference | largest |");
    println!("|---|---|---|");
    let from_two: Vec<f64> = (0..RUNS).map(from_two_places).collect();
    let from_two = differences(&from_two);
    println!("| called from two places | {} |", shown(&from_two));
    let from_one: Result<Vec<f64>, _> = (0..RUNS).map(|seed| from_one_place(instruments, seed)).collect();
    let from_one = differences(&from_one?);
    println!("| called from one place (allowed: {ALLOWED} %) | {} |", shown(&from_one));
    let median = median(from_one);
    if median > ALLOWED {
        return Err(format!("called from one place: {median:.3} %, where {ALLOWED} % is allowed").into());
    }
    Ok(())
}

/// The differences from 1, in percent.
fn differences(ratios: &[f64]) -> Vec<f64> {
    ratios.iter().map(|ratio| 100.0 * (ratio - 1.0).abs()).collect()
}

/// The median and the largest.
fn shown(differences: &[f64]) -> String {
    let largest = differences.iter().copied().fold(0.0, f64::max);
    format!("{:.3} % | {largest:.3} %", median(differences.to_vec()))
}

/// The ratio of the duos of the sampler.
fn from_one_place(instruments: &Instruments<'_>, seed: u64) -> Result<f64, MeasureError> {
    let call = || {
        black_box(registers());
    };
    let plan = endless(seed, Duration::from_millis(200));
    Ok(measure(instruments, &mut Closures::new(call, call), &plan)?.judgement.ratio)
}

/// The ratio of the median slots, where the timed stretch has a place for each of the two.
fn from_two_places(seed: u64) -> f64 {
    let mut coin = Coin::new(OrderPolicy::Coin, Seed(seed));
    let [mut first_times, mut second_times] = [Vec::new(), Vec::new()];
    for _ in 0..DUOS {
        let order = coin.flip();
        for outer in [true, false, false, true] {
            let is_first = outer == (order == Order::CandidateFirst);
            let start = Instant::now();
            if is_first {
                black_box((registers(), 1));
            } else {
                black_box((registers(), 2));
            }
            let time = start.elapsed().as_nanos() as f64;
            if is_first { first_times.push(time) } else { second_times.push(time) }
        }
    }
    median(first_times) / median(second_times)
}
