//! The memory that a measurement of many duos takes.

use std::cell::Cell;
use std::time::Duration;

use bench_diff_core::{
    Bounds, Closures, Instruments, JudgeKind, ManualClock, MeasureError, Plan, Zone, measure,
};

use crate::{allocations, plan};

const DUOS: u64 = 1_000_000;

/// The time of a call on the manual clock, in nanoseconds.
const CALL: u64 = 20_000;

pub(crate) fn print() -> Result<(), MeasureError> {
    println!("| judge | duos | bytes a duo, kept | bytes a duo, at most |");
    println!("|---|---|---|---|");
    for judge in JudgeKind::ALL {
        let before = allocations::in_use();
        allocations::forget_peak();
        let measurement = endless(judge)?;
        let duos = measurement.duos.len();
        let a_duo = |bytes: usize| bytes.saturating_sub(before) as f64 / duos as f64;
        println!(
            "| {} | {duos} | {:.1} | {:.1} |",
            judge.name(),
            a_duo(allocations::in_use()),
            a_duo(allocations::peak()),
        );
    }
    Ok(())
}

/// A pair so near to its gate that it is measured for as long as it may be.
fn endless(judge: JudgeKind) -> Result<bench_diff_core::Measurement, MeasureError> {
    let (clock, calls) = (ManualClock::new(), Cell::new(0_u64));
    let call = || {
        calls.set(calls.get() + 1);
        clock.advance(Duration::from_nanos(CALL + calls.get() * 7919 % 1009));
    };
    let plan = Plan {
        zone: Some(Zone { slower: Bounds { lo: -1e-9, hi: 1e-9 }, faster: None }),
        judge,
        exec_count: 2 * DUOS,
        max_time: Duration::from_nanos(4 * (CALL + 504) * DUOS),
        ..plan(1)
    };
    measure(&Instruments::new(&clock), &mut Closures::new(call, call), &plan, &mut |_| {})
}
