//! The cost of sampling on this machine: the time between two slots, the share of the time that goes to the
//! functions, and the memory of a duo. Prints markdown tables:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench sampling
//! ```
//!
//! It is left out of a plain `cargo bench`.

mod allocations;
mod gap;
mod memory;
#[path = "../plans.rs"]
mod plans;
mod share;

use std::hint::black_box;

use bench_diff_core::MeasureError;

/// Functions by their name and the links of their chain, of about 1 ns each.
const FUNCTIONS: [(&str, u64); 4] =
    [("100 ns", 100), ("2 us", 2_000), ("20 us", 20_000), ("200 us", 200_000)];

/// The measurements whose median is shown.
const RUNS: usize = 21;

fn main() -> Result<(), MeasureError> {
    gap::print()?;
    share::print()?;
    memory::print()
}

/// A chain of multiplications, each waiting for the one before it.
fn chain(links: u64) -> u64 {
    (0..black_box(links)).fold(1, |state: u64, link| (state ^ link).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
