//! The clocks of a machine, and the cost of using them.

use std::hint::black_box;
use std::time::Duration;

use super::{Call, ClockCost, Clocks, SlotClock};
use crate::stats::median_time;

/// The number of slots; their median counts.
const SLOTS: usize = 31;

/// The fewest and the most calls of a slot. A clock that stands still never shows a slot that is long enough.
const FEWEST_CALLS: u64 = 1 << 7;
const MOST_CALLS: u64 = 1 << 16;

/// The shortest slot of empty calls, in nanoseconds and in readings of the clock. The reading that a slot
/// contains then adds half a percent at most.
const SHORTEST_SLOT: u64 = 10_000;
const READINGS_PER_SLOT: u64 = 200;

/// A core leaves its idle frequency within about a millisecond of work.
const WARMUP: Duration = Duration::from_millis(1);

/// The slots of a warm-up on a clock that stands still.
const MOST_WARMUP_SLOTS: usize = 256;

/// The clocks of a machine and the cost of using them, measured once for a whole run.
#[derive(Clone, Copy)]
pub struct Instruments<'c> {
    /// The clocks.
    pub clocks: &'c dyn Clocks,
    /// The cost of the wall clock.
    pub wall: ClockCost,
    /// The cost of the CPU clock, if there is one.
    pub cpu: Option<ClockCost>,
    /// The time of a call of an empty function, in nanoseconds.
    pub empty_call: f64,
}

impl<'c> Instruments<'c> {
    /// Measures the cost of the clocks, which takes a few milliseconds.
    #[must_use]
    pub fn new(clocks: &'c dyn Clocks) -> Self {
        let wall = clocks.wall();
        warm_up(wall);
        let wall_cost = wall.cost(wall);
        let shortest = SHORTEST_SLOT.max(READINGS_PER_SLOT.saturating_mul(wall_cost.reading));
        Self {
            clocks,
            wall: wall_cost,
            cpu: clocks.cpu().map(|cpu| cpu.cost(wall)),
            empty_call: time_of(wall, shortest, &mut || black_box(())),
        }
    }
}

/// Makes empty calls until the core has reached its working frequency.
fn warm_up(wall: &dyn SlotClock) {
    let elapsed = wall.stopwatch();
    for _ in 0..MOST_WARMUP_SLOTS {
        wall.slot(&mut || black_box(()), FEWEST_CALLS);
        if elapsed() >= WARMUP {
            return;
        }
    }
}

/// The time of one call, in nanoseconds, by slots of at least `shortest` nanoseconds unless that takes too
/// many calls. Two slots in a row have to confirm a length, as in the sampler.
pub(super) fn time_of(wall: &dyn SlotClock, shortest: u64, call: &mut dyn Call) -> f64 {
    let mut calls = FEWEST_CALLS;
    while calls < MOST_CALLS && (0..2).any(|_| wall.slot(call, calls) < shortest) {
        calls *= 2;
    }
    median_time((0..SLOTS).map(|_| wall.slot(call, calls)).collect()) as f64 / calls as f64
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::*;
    use crate::clock::{Clock, ManualClock};

    /// A clock that takes 30 ns to read.
    struct Read(Cell<u64>);

    impl Clock for Read {
        type Moment = u64;

        fn now(&self) -> u64 {
            self.0.set(self.0.get() + 30);
            self.0.get()
        }

        fn nanoseconds(&self, start: u64, end: u64) -> u64 {
            end - start
        }
    }

    /// A machine that has this clock as both its clocks.
    impl Clocks for Read {
        fn wall(&self) -> &dyn SlotClock {
            self
        }

        fn cpu(&self) -> Option<&dyn SlotClock> {
            Some(self)
        }
    }

    #[test]
    fn a_reading_adds_at_most_half_a_percent_to_a_call() {
        for (call, shortest) in [(1, 10_000), (2, 10_000), (5, 60_000)] {
            let clock = Read(Cell::new(0));
            let time = time_of(&clock, shortest, &mut || clock.0.set(clock.0.get() + call));
            let call = call as f64;
            assert!(time >= call && time < 1.005 * call, "{time} is not {call}");
        }
    }

    #[test]
    fn a_clock_that_stands_still_ends_the_search() {
        let clock = ManualClock::new();
        let calls = Cell::new(0);
        assert_eq!(time_of(&clock, SHORTEST_SLOT, &mut || calls.set(calls.get() + 1)), 0.0);
        assert!(calls.get() < 36 * MOST_CALLS, "{}", calls.get());
    }

    #[test]
    fn a_slow_start_does_not_make_slots_too_short() {
        let (clock, calls) = (ManualClock::new(), Cell::new(0));
        let time = time_of(&clock, SHORTEST_SLOT, &mut || {
            calls.set(calls.get() + 1);
            clock.advance(Duration::from_nanos(if calls.get() <= 300 { 40 } else { 2 }));
        });
        assert_eq!(time, 2.0);
        assert!(calls.get() > SLOTS as u64 * SHORTEST_SLOT / 2, "{}", calls.get());
    }

    /// The empty calls take no time on this clock, which ends the search early as on a clock that stands
    /// still.
    #[test]
    fn instruments_read_their_clocks_for_less_than_a_millisecond() {
        let clocks = Read(Cell::new(0));
        let instruments = Instruments::new(&clocks);
        assert_eq!((instruments.wall.reading, instruments.cpu.map(|cpu| cpu.reading)), (30, Some(30)));
        assert!(clocks.now() < 1_000_000, "{}", clocks.now());
    }
}
