//! Clocks that move as the processes of two functions say.

use std::cell::Cell;
use std::time::Duration;

use super::turns::{Function, Taken};
use crate::clock::{Activity, Clock, Clocks};

/// The time, in nanoseconds, assumed for a turn that was lost: so long that nothing asks for many more.
const LOST: u64 = 1_000_000_000;

/// The clocks of two functions that take turns, and their activity.
///
/// The wall clock is that of this process, but for slots: those last as long as they did where they were
/// measured. The CPU clock moves by slots alone.
pub struct ClocksApart<'c, C: Clock> {
    wall: WallApart<'c, C>,
    cpu: CpuApart,
    has_cpu: bool,
    activities: [Cell<Option<Activity>>; 2],
}

/// The wall clock of [`ClocksApart`].
pub struct WallApart<'c, C: Clock> {
    clock: &'c C,
    start: C::Moment,
    /// The last reading.
    last: Cell<u64>,
    /// The next reading, where a slot has ended since the last one.
    next: Cell<Option<u64>>,
}

/// The CPU clock of [`ClocksApart`].
#[derive(Default)]
pub struct CpuApart {
    now: Cell<u64>,
    /// Set if it was read since the last turn: then it times the next one.
    was_read: Cell<bool>,
}

impl<'c, C: Clock> ClocksApart<'c, C> {
    /// The clocks of two processes that have a CPU clock each, or have none, beside the wall clock of this
    /// one.
    pub fn new(clock: &'c C, has_cpu: bool) -> Self {
        let wall = WallApart { clock, start: clock.now(), last: Cell::default(), next: Cell::default() };
        let activities = [const {
            Cell::new(Some(Activity { voluntary_switches: 0, other_threads_cpu: Duration::ZERO }))
        }; 2];
        Self { wall, cpu: CpuApart::default(), has_cpu, activities }
    }

    /// Returns whether the CPU clock is to time the next turn.
    pub(super) fn is_by_cpu(&self) -> bool {
        self.cpu.was_read.take()
    }

    /// Moves on by a turn of this function, whose rest is still to come, and tells how long that is.
    pub(super) fn pass(&self, function: Function, taken: Option<Taken>) -> u64 {
        let Some(Taken { time, activity }) = taken else {
            self.activities[function as usize].set(None);
            self.spend(LOST);
            self.cpu.now.set(self.cpu.now.get() + LOST);
            return 0;
        };
        self.activities[function as usize].set(activity);
        self.spend(time.without_rest);
        self.cpu.now.set(self.cpu.now.get() + time.cpu.unwrap_or(time.wall));
        time.wall.saturating_sub(time.without_rest)
    }

    /// Moves the wall clock on.
    pub(super) fn spend(&self, nanoseconds: u64) {
        let now = self.wall.next.get().unwrap_or(self.wall.last.get());
        self.wall.next.set(Some(now.saturating_add(nanoseconds)));
    }
}

impl<'c, C: Clock> Clocks for ClocksApart<'c, C> {
    type Wall = WallApart<'c, C>;
    type Cpu = CpuApart;

    fn wall(&self) -> &Self::Wall {
        &self.wall
    }

    fn cpu(&self) -> Option<&CpuApart> {
        self.has_cpu.then_some(&self.cpu)
    }

    fn activity(&self) -> Option<Activity> {
        let [candidate, baseline] = self.activities.each_ref().map(Cell::get);
        let (candidate, baseline) = candidate.zip(baseline)?;
        Some(Activity {
            voluntary_switches: candidate.voluntary_switches + baseline.voluntary_switches,
            other_threads_cpu: candidate.other_threads_cpu + baseline.other_threads_cpu,
        })
    }
}

impl<C: Clock> Clock for WallApart<'_, C> {
    type Moment = u64;

    fn now(&self) -> u64 {
        let now = self.next.take().unwrap_or_else(|| {
            let passed = self.clock.nanoseconds(self.start, self.clock.now());
            passed.max(self.last.get())
        });
        self.last.set(now);
        now
    }

    fn nanoseconds(&self, start: u64, end: u64) -> u64 {
        end.saturating_sub(start)
    }

    fn resolution(&self) -> u64 {
        self.clock.resolution()
    }
}

impl Clock for CpuApart {
    type Moment = u64;

    fn now(&self) -> u64 {
        self.was_read.set(true);
        self.now.get()
    }

    fn nanoseconds(&self, start: u64, end: u64) -> u64 {
        end.saturating_sub(start)
    }

    fn resolution(&self) -> u64 {
        1
    }
}
