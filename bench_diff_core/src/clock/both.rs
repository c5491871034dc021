//! Both clocks of a machine at once.

use std::cell::Cell;
use std::time::Duration;

use super::{Call, SlotClock};

/// Times slots with both clocks, if they are so long that the second reading adds nothing. The result is the
/// wall time.
pub(crate) struct BothClocks<'c> {
    wall: &'c dyn SlotClock,
    cpu: Option<&'c dyn SlotClock>,
    cpu_times: Cell<[u64; 4]>,
}

impl<'c> BothClocks<'c> {
    pub(crate) fn new(wall: &'c dyn SlotClock, cpu: Option<&'c dyn SlotClock>) -> Self {
        Self { wall, cpu, cpu_times: Cell::default() }
    }

    /// The last four slots by the CPU clock.
    pub(crate) fn cpu_times(&self) -> [u64; 4] {
        self.cpu_times.get()
    }
}

impl SlotClock for BothClocks<'_> {
    fn slot(&self, call: &mut dyn Call, iterations: u64) -> u64 {
        let Some(cpu) = self.cpu else { return self.wall.slot(call, iterations) };
        let mut fourth = 0;
        let time = match call.own_time(iterations) {
            Some(time) => {
                fourth = time;
                time
            }
            None => self.wall.slot(&mut || fourth = cpu.slot(call, iterations), 1),
        };
        let [_, first, second, third] = self.cpu_times.get();
        self.cpu_times.set([first, second, third, fourth]);
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
        assert_eq!(both.cpu_times(), [0, 0, 0, 300]);
    }
}
