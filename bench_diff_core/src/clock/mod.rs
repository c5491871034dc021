//! Clocks: the source of slot times.

mod activity;
mod both;
mod choice;
#[cfg_attr(
    not(any(
        target_os = "linux",
        target_os = "android",
        target_os = "freebsd",
        target_os = "dragonfly",
        target_os = "netbsd",
        target_os = "openbsd",
        target_vendor = "apple",
    )),
    path = "no_cpu.rs"
)]
mod cpu;
mod instruments;
mod manual;
mod resolution;
mod slot;
mod system;
mod timed;
mod wall;

use std::time::Duration;

pub use activity::Activity;
pub(crate) use both::BothClocks;
pub(crate) use choice::Choice;
pub use choice::{ClockKind, ClockPolicy};
pub(crate) use cpu::CpuClock;
pub use instruments::Instruments;
pub use manual::ManualClock;
pub use slot::{Call, ClockCost, SelfTimed, SlotClock, repeat};
pub use system::SystemClocks;
pub use wall::InstantClock;

/// A source of slot times.
///
/// Only the readings stand between a function and its measured time. [`Clock::now`] therefore does as little
/// as the platform allows, and the conversion to nanoseconds happens after the slot.
pub trait Clock {
    /// One reading.
    type Moment: Copy;

    /// Reads the clock.
    fn now(&self) -> Self::Moment;

    /// Nanoseconds from `start` to `end`; 0 if the clock went backwards.
    fn nanoseconds(&self, start: Self::Moment, end: Self::Moment) -> u64;

    /// The smallest observed step of this clock, in nanoseconds, at least 1.
    ///
    /// The default reads the clock 1000 times back to back, and goes on until it has stepped. If a reading
    /// takes longer than a step, as on a CPU clock, the gaps between readings differ by steps. A clock that
    /// stands still has the resolution `u64::MAX`.
    fn resolution(&self) -> u64 {
        let mut previous = self.now();
        resolution::resolution(|| {
            let moment = self.now();
            let gap = self.nanoseconds(previous, moment);
            previous = moment;
            gap
        })
    }
}

/// The clocks of a machine, and the activity of the calling thread and its process.
pub trait Clocks {
    /// The wall clock, which every machine has.
    fn wall(&self) -> &dyn SlotClock;

    /// The CPU clock of the calling thread, if the machine has one. The default has none.
    fn cpu(&self) -> Option<&dyn SlotClock> {
        None
    }

    /// The activity of the calling thread and its process so far, if the machine reports it. The default does
    /// not.
    fn activity(&self) -> Option<Activity> {
        None
    }
}

/// The nanoseconds of this time, up to 584 years.
pub fn saturating_nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_resolution_is_the_smallest_step_seen() {
        struct Coarse(Cell<u64>);
        impl Clock for Coarse {
            type Moment = u64;
            fn now(&self) -> u64 {
                self.0.set(self.0.get() + 1);
                self.0.get() / 3 * 41
            }
            fn nanoseconds(&self, start: u64, end: u64) -> u64 {
                end - start
            }
        }
        assert_eq!(Coarse(Cell::new(0)).resolution(), 41);
        assert!(InstantClock.resolution() >= 1);
    }
}
