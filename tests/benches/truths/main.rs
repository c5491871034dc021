//! Ratios that are known from the instructions, as this machine measures them. Prints markdown tables:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench truths
//! ```
//!
//! It is left out of a plain `cargo bench`.

mod cases;
#[path = "../plans.rs"]
mod plans;
mod row;
mod sites;

use std::error::Error;

use bench_diff_core::{Instruments, Measurement, SystemClocks, measure};

use crate::cases::cases;
use crate::plans::gated;
use crate::row::{HEADER, row};

/// The measurements of a case whose median is shown.
const RUNS: u64 = 11;

fn main() -> Result<(), Box<dyn Error>> {
    let clocks = SystemClocks::new();
    let instruments = Instruments::new(&clocks);
    println!("{HEADER}");
    for index in 0..cases().len() {
        let runs: Result<Vec<Measurement>, _> =
            (0..RUNS).map(|seed| measure(&instruments, cases()[index].pair.as_mut(), &gated(seed))).collect();
        println!("{}", row(&cases()[index], &runs?));
    }
    println!();
    sites::print(&instruments)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
