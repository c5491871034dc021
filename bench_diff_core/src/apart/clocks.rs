//! Clocks that tell what the processes of two functions say.

use std::cell::Cell;
use std::time::Duration;

use super::turns::{Function, Taken};
use crate::clock::{Activity, Call, Clocks, SlotClock};

/// The time, in nanoseconds, assumed for a turn that was lost: so long that nothing asks for many more.
const LOST: u64 = 1_000_000_000;

/// The clocks of two functions that take turns, and their activity.
pub struct ClocksApart<'c> {
    wall: ClockApart<'c>,
    cpu: ClockApart<'c>,
    has_cpu: bool,
    activities: [Cell<Option<Activity>>; 2],
}

/// One of these clocks: that of this process, but for slots, which last as long as they did where they were
/// measured.
struct ClockApart<'c> {
    clock: &'c dyn SlotClock,
    /// The time that was told of all slots so far, in nanoseconds.
    told: Cell<u64>,
    /// Set if it times the slot for which no turn was taken yet.
    is_timing: Cell<bool>,
}

impl<'c> ClocksApart<'c> {
    /// The clocks of two processes that have a CPU clock each, or have none, beside the wall clock of this
    /// one.
    pub fn new(clock: &'c dyn SlotClock, has_cpu: bool) -> Self {
        let new = || ClockApart { clock, told: Cell::default(), is_timing: Cell::default() };
        let activity = || Cell::new(Some(Activity::default()));
        Self { wall: new(), cpu: new(), has_cpu, activities: [activity(), activity()] }
    }

    /// Returns whether the CPU clock is to time the next turn.
    pub(super) fn is_by_cpu(&self) -> bool {
        self.cpu.is_timing.take()
    }

    /// Moves on by a turn of this function, whose rest is still to come, and tells how long that is.
    pub(super) fn pass(&self, function: Function, taken: Option<Taken>) -> u64 {
        self.activities[function as usize].set(taken.and_then(|taken| taken.activity));
        let Some(Taken { time, .. }) = taken else {
            self.spend(LOST);
            self.cpu.spend(LOST);
            return 0;
        };
        self.spend(time.without_rest);
        self.cpu.spend(time.cpu.unwrap_or(time.wall));
        time.wall.saturating_sub(time.without_rest)
    }

    /// Moves the wall clock on.
    pub(super) fn spend(&self, nanoseconds: u64) {
        self.wall.spend(nanoseconds);
    }
}

impl Clocks for ClocksApart<'_> {
    fn wall(&self) -> &dyn SlotClock {
        &self.wall
    }

    fn cpu(&self) -> Option<&dyn SlotClock> {
        self.has_cpu.then_some(&self.cpu as &dyn SlotClock)
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

impl ClockApart<'_> {
    fn spend(&self, nanoseconds: u64) {
        self.told.set(self.told.get().saturating_add(nanoseconds));
    }
}

impl SlotClock for ClockApart<'_> {
    /// Calls once: that has all calls of the slot made.
    fn slot(&self, call: &mut dyn Call, _: u64, _: Option<u64>) -> u64 {
        let before = self.told.get();
        self.is_timing.set(true);
        call.call();
        self.told.get() - before
    }

    /// Its time is at least that of the slots, of which those of lost turns took none.
    fn stopwatch(&self) -> Box<dyn Fn() -> Duration + '_> {
        let (elapsed, before) = (self.clock.stopwatch(), self.told.get());
        Box::new(move || elapsed().max(Duration::from_nanos(self.told.get() - before)))
    }
}
