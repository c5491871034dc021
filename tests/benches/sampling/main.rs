//! What sampling costs on this machine: the time between two slots, the share of the time that goes to the functions,
//! and the memory of a duo. Prints markdown tables:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench sampling
//! ```
//!
//! It is left out of a plain `cargo bench`.

mod allocations;
mod gap;
mod memory;
mod share;

use std::hint::black_box;
use std::time::Duration;

use bench_diff_core::{ClockPolicy, Gate, JudgeKind, MeasureError, OrderPolicy, Plan, Seed};

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

/// The plan of a pair without options.
fn plan(seed: u64) -> Plan {
    Plan {
        zone: Gate::MaxSlowdown(0.02).zone(),
        judge: JudgeKind::Sequential,
        alpha: 0.01,
        beta: 0.05,
        exec_count: 2000,
        max_time: Duration::from_secs(2),
        warmup: Duration::from_millis(50),
        clock: ClockPolicy::Auto,
        control: false,
        order: OrderPolicy::Coin,
        seed: Seed(seed),
    }
}

/// A chain of multiplications, each waiting for the one before it.
fn chain(links: u64) -> u64 {
    (0..black_box(links)).fold(1, |state: u64, link| (state ^ link).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
