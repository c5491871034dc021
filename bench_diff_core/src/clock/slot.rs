//! Slots: the functions that they call, and the clocks that time them.

use std::hint::black_box;
use std::time::Duration;

/// A function as a slot calls it.
pub trait Call {
    /// Calls the function.
    fn call(&mut self);

    /// The address to which the one call instruction of a slot jumps.
    fn entry(&self) -> usize;

    /// Makes the calls of a slot and returns the time that the function itself reports for them, in
    /// nanoseconds; `None` if the slot has to be timed.
    fn own_time(&mut self, _iterations: u64) -> Option<u64> {
        None
    }

    /// Returns whether it reports such a time. The default does not.
    fn times_itself(&self) -> bool {
        false
    }
}

impl<F: FnMut()> Call for F {
    #[inline(never)]
    fn call(&mut self) {
        self();
    }

    fn entry(&self) -> usize {
        // Without this, the compiler would compare the names of two functions that it merges later.
        black_box(<F as Call>::call as fn(&mut F) as usize)
    }
}

/// A function that takes a number of calls, makes them, and returns their time by its own clock.
#[derive(Clone, Copy, Debug)]
pub struct SelfTimed<F>(pub F);

impl<F: FnMut(u64) -> Duration> Call for SelfTimed<F> {
    fn call(&mut self) {
        (self.0)(1);
    }

    fn entry(&self) -> usize {
        black_box(<Self as Call>::own_time as fn(&mut Self, u64) -> Option<u64> as usize)
    }

    #[inline(never)]
    fn own_time(&mut self, iterations: u64) -> Option<u64> {
        Some(super::saturating_nanoseconds((self.0)(iterations)))
    }

    fn times_itself(&self) -> bool {
        true
    }
}

/// A clock that times slots. Every [`Clock`](super::Clock) is one.
///
/// The methods are compiled where a clock becomes a `dyn SlotClock`. The loop of
/// [`SystemClocks`](super::SystemClocks) is therefore optimized even if the crate that measures is not.
pub trait SlotClock {
    /// The time of `iterations` calls in nanoseconds. If the function [times itself](Call::own_time), this is
    /// the time that it reports.
    fn slot(&self, call: &mut dyn Call, iterations: u64) -> u64;

    /// Starts a stopwatch, which returns the time since now whenever it is called.
    fn stopwatch(&self) -> Box<dyn Fn() -> Duration + '_>;

    /// The cost of using the clock, by a wall clock. The default, for a clock that reads nothing, is no cost.
    fn cost(&self, _wall: &dyn SlotClock) -> ClockCost {
        ClockCost { resolution: 1, reading: 0 }
    }
}

/// The resolution of a clock, and the cost of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockCost {
    /// The smallest observed step, in nanoseconds.
    pub resolution: u64,
    /// The time of a reading, in nanoseconds of the wall clock.
    pub reading: u64,
}

impl ClockCost {
    /// The time that a slot has to be long against: a reading, or a step if the clock moves in ticks.
    pub(crate) fn step(self) -> u64 {
        self.resolution.max(self.reading)
    }
}

/// Makes the calls of a slot in a thread that does not read the clock, through a single call instruction as
/// well.
#[inline(never)]
pub fn repeat(call: &mut dyn Call, iterations: u64) {
    for _ in 0..iterations {
        call.call();
    }
}
