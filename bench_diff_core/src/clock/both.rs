//! Both clocks of a machine at once.

use std::cell::Cell;
use std::time::Duration;

use super::{Call, SlotClock};

/// Both clocks of slots so long that reading one more adds nothing. It tells the times of the wall.
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
    fn slot(&self, call: &mut dyn Call, iterations: u64, work: Option<u64>) -> u64 {
        let Some(cpu) = self.cpu else { return self.wall.slot(call, iterations, work) };
        let mut fourth = 0;
        let time = self.wall.slot(&mut || fourth = cpu.slot(call, iterations, work), 1, None);
        let [_, first, second, third] = self.cpu_times.get();
        self.cpu_times.set([first, second, third, fourth]);
        time
    }

    fn stopwatch(&self) -> Box<dyn Fn() -> Duration + '_> {
        self.wall.stopwatch()
    }
}
