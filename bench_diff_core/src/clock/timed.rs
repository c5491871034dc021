//! The timed loop: the one place where a function is called between two readings of the clock.

use std::hint::black_box;
use std::time::Duration;

use super::instruments::time_of;
use super::{Call, Clock, ClockCost, SlotClock};

/// Times `iterations` calls, in nanoseconds.
///
/// All functions of a pair go through this loop and its single call instruction. With two call sites, equal
/// machine code differs by up to ten percent.
#[inline(never)]
fn time_slot<C: Clock>(clock: &C, call: &mut dyn Call, iterations: u64) -> u64 {
    let start = clock.now();
    for _ in 0..iterations {
        call.call();
    }
    let end = clock.now();
    clock.nanoseconds(start, end)
}

impl<C: Clock> SlotClock for C {
    fn slot(&self, call: &mut dyn Call, iterations: u64) -> u64 {
        match call.own_time(iterations) {
            Some(time) => time,
            None => time_slot(self, call, iterations),
        }
    }

    fn stopwatch(&self) -> Box<dyn Fn() -> Duration + '_> {
        let start = self.now();
        Box::new(move || Duration::from_nanos(self.nanoseconds(start, self.now())))
    }

    fn cost(&self, wall: &dyn SlotClock) -> ClockCost {
        let read = &mut || _ = black_box(self.now());
        // A slot holds one more reading than its iterations, which is less than a percent even of the fewest.
        let reading = time_of(wall, 0, read).round() as u64;
        ClockCost { resolution: self.resolution(), reading }
    }
}
