//! The timed loop: the one place where a function is called between two readings of the clock, and the same
//! for other threads.

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

/// Makes the calls of a slot in a thread that does not read the clock: through one call instruction as well.
#[inline(never)]
pub fn repeat(call: &mut dyn Call, iterations: u64) {
    for _ in 0..iterations {
        call.call();
    }
}
