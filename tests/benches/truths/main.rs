//! Ratios that are known from the instructions, as this machine measures them. Prints markdown tables:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench truths
//! ```
//!
//! It is left out of a plain `cargo bench`.

mod cases;
mod row;
mod sites;

use std::error::Error;
use std::time::Duration;

use bench_diff_core::{
    Bounds, ClockPolicy, Gate, Instruments, JudgeKind, MeasureError, Measurement, OrderPolicy, Plan, Seed,
    SystemClocks, Zone, measure,
};

use crate::cases::cases;
use crate::row::{HEADER, row};

/// The measurements of a case whose median is shown.
const RUNS: u64 = 11;

fn main() -> Result<(), Box<dyn Error>> {
    let clocks = SystemClocks::new();
    let instruments = Instruments::new(&clocks);
    println!("{HEADER}");
    for index in 0..cases().len() {
        let runs: Result<Vec<Measurement>, _> = (0..RUNS)
            .map(|seed| measure(&instruments, cases()[index].pair.as_mut(), &gated(seed), &mut |_| {}))
            .collect();
        println!("{}", row(&cases()[index], &runs?));
    }
    println!();
    sites::print(&instruments)
}

/// The plan of a pair without options.
fn gated(seed: u64) -> Plan {
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

/// A plan that measures for so long, since its zone is too narrow for any verdict.
fn endless(seed: u64, max_time: Duration) -> Plan {
    let zone = Zone { slower: Bounds { lo: -1e-9, hi: 1e-9 }, faster: None };
    Plan { zone: Some(zone), max_time, ..gated(seed) }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
