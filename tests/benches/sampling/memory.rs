//! The memory that a measurement of many duos takes.

use std::cell::Cell;
use std::time::Duration;

use bench_diff_core::{
    Closures, Instruments, JudgeKind, ManualClock, MeasureError, Measurement, Plan, measure,
};

use crate::{allocations, plans};

const DUOS: u64 = 1_000_000;

/// The measured pairs: calls of these nanoseconds on the manual clock. Overhead is measured where a slot
/// holds more than one call.
const PAIRS: [(&str, u64); 2] = [("20 us", 20_000), ("1 us", 1_000)];

pub(crate) fn print() -> Result<(), MeasureError> {
    println!("| judge | calls | duos | bytes a duo, kept | bytes a duo, at most |");
    println!("|---|---|---|---|---|");
    for (judge, (name, call)) in JudgeKind::ALL.into_iter().flat_map(|judge| PAIRS.map(|pair| (judge, pair)))
    {
        let before = allocations::in_use();
        allocations::forget_peak();
        let measurement = endless(judge, call)?;
        let duos = measurement.duos().count();
        let a_duo = |bytes: usize| bytes.saturating_sub(before) as f64 / duos as f64;
        println!(
            "| {} | {name} | {duos} | {:.1} | {:.1} |",
            judge.name(),
            a_duo(allocations::in_use()),
            a_duo(allocations::peak()),
        );
    }
    Ok(())
}

/// A pair so near to its gate that it is measured for as long as it may be.
fn endless(judge: JudgeKind, time: u64) -> Result<Measurement, MeasureError> {
    let (clock, calls) = (ManualClock::new(), Cell::new(0_u64));
    let call = || {
        calls.set(calls.get() + 1);
        clock.advance(Duration::from_nanos(time + calls.get() * 7919 % 1009 * time / 20_000));
    };
    // The sampler doubles the calls of a slot until it takes 10 us.
    let slot = 10_000_u64.div_ceil(time).next_power_of_two() * (time + 504 * time / 20_000);
    let plan = Plan { judge, slots: 2 * DUOS, ..plans::endless(1, Duration::from_nanos(4 * slot * DUOS)) };
    measure(&Instruments::new(&clock), &mut Closures::new(call, call), &plan)
}
