//! Both clocks of a machine at once.

use std::cell::Cell;

use super::{Clock, Clocks};

/// Both clocks of slots so long that reading one more adds nothing. It tells the times of the wall.
pub(crate) struct BothClocks<'c, C: Clocks> {
    wall: &'c C::Wall,
    cpu: Option<&'c C::Cpu>,
    cpu_times: Cell<[u64; 4]>,
}

impl<'c, C: Clocks> BothClocks<'c, C> {
    pub(crate) fn new(wall: &'c C::Wall, cpu: Option<&'c C::Cpu>) -> Self {
        Self { wall, cpu, cpu_times: Cell::default() }
    }

    /// The last four slots by the CPU clock.
    pub(crate) fn cpu_times(&self) -> [u64; 4] {
        self.cpu_times.get()
    }
}

impl<C: Clocks> Clock for BothClocks<'_, C> {
    type Moment = (<C::Wall as Clock>::Moment, Option<<C::Cpu as Clock>::Moment>);

    fn now(&self) -> Self::Moment {
        (self.wall.now(), self.cpu.map(Clock::now))
    }

    fn nanoseconds(&self, (start, cpu_start): Self::Moment, (end, cpu_end): Self::Moment) -> u64 {
        if let (Some(cpu), Some(start), Some(end)) = (self.cpu, cpu_start, cpu_end) {
            let [_, second, third, fourth] = self.cpu_times.get();
            self.cpu_times.set([second, third, fourth, cpu.nanoseconds(start, end)]);
        }
        self.wall.nanoseconds(start, end)
    }

    fn work(&self, units: u64) {
        self.wall.work(units);
    }

    fn resolution(&self) -> u64 {
        self.wall.resolution()
    }
}
