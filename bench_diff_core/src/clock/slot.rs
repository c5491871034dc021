//! The timed loop: the one place where a function is called between two readings of the clock, and the same
//! for other threads.

use super::Clock;

/// Times `iterations` calls, in nanoseconds.
///
/// All functions of a pair pass through this one loop and its one call instruction: two call sites alone make
/// equal machine code differ by up to ten percent.
#[inline(never)]
pub(crate) fn time_slot<C: Clock>(clock: &C, call: &mut dyn FnMut(), iterations: u64) -> u64 {
    let start = clock.now();
    for _ in 0..iterations {
        call();
    }
    let end = clock.now();
    clock.nanoseconds(start, end)
}

/// Makes the calls of a slot in a thread that does not read the clock: through one call instruction as well.
#[inline(never)]
pub fn repeat(call: &mut dyn FnMut(), iterations: u64) {
    for _ in 0..iterations {
        call();
    }
}
