//! The timed loop: the one place where a function is called between two readings of the clock, and the same
//! for other threads.

use std::cell::Cell;
use std::hint::black_box;

use super::Clock;

/// A function as a slot calls it.
pub trait Call {
    /// Calls it.
    fn call(&mut self);

    /// The address to which the one call instruction of a slot jumps.
    fn entry(&self) -> usize;
}

impl<F: FnMut()> Call for F {
    #[inline(never)]
    fn call(&mut self) {
        self();
    }

    fn entry(&self) -> usize {
        // Else the compiler compares the names of two functions that it merges later on.
        black_box(<F as Call>::call as fn(&mut F) as usize)
    }
}

/// Times `iterations` calls, in nanoseconds.
///
/// All functions of a pair pass through this one loop and its one call instruction: two call sites alone make
/// equal machine code differ by up to ten percent.
#[inline(never)]
pub(crate) fn time_slot<C: Clock>(clock: &C, call: &mut dyn Call, iterations: u64) -> u64 {
    let start = clock.now();
    for _ in 0..iterations {
        call.call();
    }
    let end = clock.now();
    clock.nanoseconds(start, end)
}

/// A clock of any kind, as it times slots.
pub(crate) trait SlotClock {
    /// Times `iterations` calls, and units of [`Clock::work`] at their end where there are any to do, in
    /// nanoseconds. Slots with and without such work are made by machine code of their own.
    fn slot(&self, call: &mut dyn Call, iterations: u64, work: Option<u64>) -> u64;
}

impl<C: Clock> SlotClock for C {
    fn slot(&self, call: &mut dyn Call, iterations: u64, work: Option<u64>) -> u64 {
        match work {
            None => time_slot(self, call, iterations),
            Some(units) => {
                let clock = AfterWork { clock: self, units, has_started: Cell::new(false) };
                time_slot(&clock, call, iterations)
            }
        }
    }
}

/// A clock that works before it ends a slot.
struct AfterWork<'c, C> {
    clock: &'c C,
    units: u64,
    has_started: Cell<bool>,
}

impl<C: Clock> Clock for AfterWork<'_, C> {
    type Moment = C::Moment;

    fn now(&self) -> C::Moment {
        if self.has_started.replace(true) {
            self.clock.work(self.units);
        }
        self.clock.now()
    }

    fn nanoseconds(&self, start: C::Moment, end: C::Moment) -> u64 {
        self.clock.nanoseconds(start, end)
    }
}

/// Makes the calls of a slot in a thread that does not read the clock: through one call instruction as well.
#[inline(never)]
pub fn repeat(call: &mut dyn Call, iterations: u64) {
    for _ in 0..iterations {
        call.call();
    }
}
