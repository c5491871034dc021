//! Slots: what is called in them, and the clocks that time them.

use std::hint::black_box;
use std::time::Duration;

/// A function as a slot calls it.
pub trait Call {
    /// Calls it.
    fn call(&mut self);

    /// The address to which the one call instruction of a slot jumps.
    fn entry(&self) -> usize;

    /// Makes the calls of a slot, and returns how long they took by its own account, in nanoseconds; `None`
    /// if it is to be timed.
    fn own_time(&mut self, _iterations: u64) -> Option<u64> {
        None
    }
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

/// A function that gets a number of calls, makes them, and returns their time by its own clock.
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
        Some((self.0)(iterations).as_nanos().try_into().unwrap_or(u64::MAX))
    }
}

/// A clock of any kind, as it times slots: every [`Clock`](super::Clock) is one.
///
/// Its methods are compiled where it becomes a `dyn SlotClock`, so that the loop of
/// [`SystemClocks`](super::SystemClocks) is optimized also where the crate that measures is not.
pub trait SlotClock {
    /// Times `iterations` calls, and units of [`Clock::work`](super::Clock::work) at their end where there
    /// are any to do, in nanoseconds. Slots with and without such work are made by machine code of their own.
    fn slot(&self, call: &mut dyn Call, iterations: u64, work: Option<u64>) -> u64;

    /// Tells the time since now, whenever it is called.
    fn stopwatch(&self) -> Box<dyn Fn() -> Duration + '_>;

    /// The cost of using it, by a wall clock. One that reads no clock of its own costs nothing.
    fn cost(&self, _wall: &dyn SlotClock) -> ClockCost {
        ClockCost { resolution: 1, reading: 0 }
    }
}

/// The resolution of a clock, and the cost of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockCost {
    /// The smallest step that it was seen to make, in nanoseconds.
    pub resolution: u64,
    /// The time of a reading, in nanoseconds of the wall clock.
    pub reading: u64,
}

impl ClockCost {
    /// The unit that a slot has to be long against: a reading, or a step where the clock moves in ticks.
    pub(crate) fn step(self) -> u64 {
        self.resolution.max(self.reading)
    }
}

/// Makes the calls of a slot in a thread that does not read the clock: through one call instruction as well.
#[inline(never)]
pub fn repeat(call: &mut dyn Call, iterations: u64) {
    for _ in 0..iterations {
        call.call();
    }
}
