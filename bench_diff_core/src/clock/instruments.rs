//! The clocks of a machine, and what it costs to use them.

use std::hint::black_box;

use super::{Clock, Clocks};
use crate::slot::time_slot;
use crate::warmup::median;

/// The slots whose median counts.
const SLOTS: usize = 31;

/// The calls in a slot, which takes some microseconds of an empty function and some tens of a slow clock.
const CALLS: u64 = 1 << 8;

/// The clocks of a machine and what using them costs, measured once for a whole run.
#[derive(Clone, Copy, Debug)]
pub struct Instruments<'c, C> {
    clocks: &'c C,
    wall: ClockCost,
    cpu: Option<ClockCost>,
    empty_call: f64,
}

/// What a clock can tell, and what it costs to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockCost {
    /// The smallest step that it was seen to make, in nanoseconds.
    pub resolution: u64,
    /// The time of a reading, in nanoseconds of the wall clock.
    pub reading: u64,
}

impl ClockCost {
    /// What a slot has to be long against: a reading, or a step where the clock moves in ticks.
    pub(crate) fn step(self) -> u64 {
        self.resolution.max(self.reading)
    }
}

impl<'c, C: Clocks> Instruments<'c, C> {
    /// Measures what the clocks cost, which takes a few milliseconds.
    pub fn new(clocks: &'c C) -> Self {
        let wall = clocks.wall();
        Self {
            clocks,
            wall: cost(wall, wall),
            cpu: clocks.cpu().map(|cpu| cost(wall, cpu)),
            empty_call: time_of(wall, || black_box(())),
        }
    }

    /// The clocks.
    #[must_use]
    pub fn clocks(&self) -> &'c C {
        self.clocks
    }

    /// What the wall clock costs.
    #[must_use]
    pub fn wall(&self) -> ClockCost {
        self.wall
    }

    /// What the CPU clock costs, where there is one.
    #[must_use]
    pub fn cpu(&self) -> Option<ClockCost> {
        self.cpu
    }

    /// The time of a call of a function that does nothing, in nanoseconds.
    #[must_use]
    pub fn empty_call(&self) -> f64 {
        self.empty_call
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a time far below 2^53 ns")]
fn cost(wall: &impl Clock, clock: &impl Clock) -> ClockCost {
    let reading = time_of(wall, || {
        black_box(clock.now());
    });
    ClockCost { resolution: clock.resolution(), reading: reading.round() as u64 }
}

/// The time of one call, in nanoseconds.
#[expect(clippy::cast_precision_loss, reason = "a slot of 2^53 ns lasts 104 days")]
fn time_of(wall: &impl Clock, mut call: impl FnMut()) -> f64 {
    median((0..SLOTS).map(|_| time_slot(wall, &mut call, CALLS))) as f64 / CALLS as f64
}
