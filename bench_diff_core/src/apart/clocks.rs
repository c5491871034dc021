//! Clocks that show the times which the processes of two functions report.

use std::cell::Cell;
use std::time::Duration;

use super::turns::{Function, Taken};
use crate::clock::{Activity, Call, Clocks, SlotClock};

/// The assumed time of a lost turn, in nanoseconds: so long that the caller does not ask for many more.
const LOST: u64 = 1_000_000_000;

/// The clocks of two functions that take turns, and the activity of their processes.
pub struct ClocksApart<'c> {
    wall: ClockApart<'c>,
    cpu: ClockApart<'c>,
    has_cpu: bool,
    activities: [Cell<Option<Activity>>; 2],
}

/// One of these clocks. It is a clock of this process, but a slot lasts as long as its process has measured.
struct ClockApart<'c> {
    clock: &'c dyn SlotClock,
    /// The sum of all reported slots so far, in nanoseconds.
    reported: Cell<u64>,
    /// Set if this clock times the slot whose turn comes next.
    is_timing: Cell<bool>,
}

impl<'c> ClocksApart<'c> {
    /// The clocks of two processes, in addition to the wall clock of this one. `has_cpu` says whether each
    /// has a CPU clock.
    pub fn new(clock: &'c dyn SlotClock, has_cpu: bool) -> Self {
        let new = || ClockApart { clock, reported: Cell::default(), is_timing: Cell::default() };
        let activity = || Cell::new(Some(Activity::default()));
        Self { wall: new(), cpu: new(), has_cpu, activities: [activity(), activity()] }
    }

    /// Returns whether the CPU clock has to time the next turn.
    pub(super) fn is_by_cpu(&self) -> bool {
        self.cpu.is_timing.take()
    }

    /// Advances by the counted part of a turn of this function, and returns its rest, which comes later.
    pub(super) fn pass(&self, function: Function, taken: Option<Taken>) -> u64 {
        self.activities[function as usize].set(taken.and_then(|taken| taken.activity));
        let Some(Taken { time, .. }) = taken else {
            self.spend(LOST);
            return 0;
        };
        self.wall.spend(time.without_rest);
        self.cpu.spend(time.cpu.unwrap_or(time.wall));
        time.wall.saturating_sub(time.without_rest)
    }

    /// Advances both clocks.
    pub(super) fn spend(&self, nanoseconds: u64) {
        self.wall.spend(nanoseconds);
        self.cpu.spend(nanoseconds);
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
        self.reported.set(self.reported.get().saturating_add(nanoseconds));
    }
}

impl SlotClock for ClockApart<'_> {
    /// Makes one call, which runs all calls of the slot in the other process.
    fn slot(&self, call: &mut dyn Call, _: u64) -> u64 {
        let before = self.reported.get();
        self.is_timing.set(true);
        call.call();
        self.reported.get() - before
    }

    /// The elapsed time is at least the sum of the slots. Lost turns have slots that took no real time.
    fn stopwatch(&self) -> Box<dyn Fn() -> Duration + '_> {
        let (elapsed, before) = (self.clock.stopwatch(), self.reported.get());
        Box::new(move || elapsed().max(Duration::from_nanos(self.reported.get() - before)))
    }
}
