//! One loop that touches registers only, called from two places and from one.

use std::hint::black_box;
use std::time::{Duration, Instant};

use bench_diff_core::{
    Closures, Coin, Instruments, MeasureError, Order, OrderPolicy, Seed, SystemClocks, measure,
};

use crate::{endless, median};

/// The duos from which a ratio is taken.
const DUOS: usize = 2000;

/// A chain of shifts and exclusive ors (Marsaglia 2003), about 20 us, as a copy of its own wherever it is called.
#[inline(always)]
fn registers() -> u64 {
    (0..black_box(10_000)).fold(1, |mut state: u64, _| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^ (state << 17)
    })
}

pub(crate) fn print(instruments: &Instruments<'_, SystemClocks>, seed: u64) -> Result<(), MeasureError> {
    let one = || {
        black_box(registers());
    };
    let plan = endless(seed, Duration::from_millis(200));
    let measurement = measure(instruments, &mut Closures::new(one, one), &plan, &mut |_| {})?;
    let percent = |ratio: f64| 100.0 * (ratio - 1.0);
    println!("| one loop against itself | difference |");
    println!("|---|---|");
    println!("| called from two places | {:+.3} % |", percent(from_two_places(seed)));
    println!("| called from one place | {:+.3} % |\n", percent(measurement.judgement.ratio));
    Ok(())
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
