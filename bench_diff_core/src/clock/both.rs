//! Both clocks of a machine at once.

use std::cell::Cell;
use std::time::Duration;

use super::{Call, SlotClock};

/// Times slots with both clocks, if they are so long that the second reading adds nothing. The result is the
/// wall time.
pub(crate) struct BothClocks<'c> {
    wall: &'c dyn SlotClock,
    cpu: Option<&'c dyn SlotClock>,
    cpu_times: Cell<[u64; 2]>,
}

impl<'c> BothClocks<'c> {
    pub(crate) fn new(wall: &'c dyn SlotClock, cpu: Option<&'c dyn SlotClock>) -> Self {
        Self { wall, cpu, cpu_times: Cell::default() }
    }

    /// The last two slots by the CPU clock.
    pub(crate) fn cpu_times(&self) -> [u64; 2] {
        self.cpu_times.get()
    }
}

impl SlotClock for BothClocks<'_> {
    fn slot(&self, call: &mut dyn Call, iterations: u64) -> u64 {
        let Some(cpu) = self.cpu else { return self.wall.slot(call, iterations) };
        let mut second = 0;
        let time = match call.own_time(iterations) {
            Some(time) => {
                second = time;
                time
            }
            None => self.wall.slot(&mut || second = cpu.slot(call, iterations), 1),
        };
        let [_, first] = self.cpu_times.get();
        self.cpu_times.set([first, second]);
        time
    }

    fn stopwatch(&self) -> Box<dyn Fn() -> Duration + '_> {
        self.wall.stopwatch()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{ManualClock, SelfTimed};

    #[test]
    fn the_time_that_a_function_reports_counts_for_both_clocks() {
        let clock = ManualClock::new();
        let both = BothClocks::new(&clock, Some(&clock));
        let own = |calls| {
            clock.advance(Duration::from_nanos(7));
            Duration::from_nanos(100 * calls)
        };
        assert_eq!(both.slot(&mut SelfTimed(own), 3), 300);
        assert_eq!(both.cpu_times(), [0, 300]);
    }
}
