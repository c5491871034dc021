//! Clocks that are moved by hand.

use std::cell::Cell;
use std::time::Duration;

use super::{Activity, Clock, Clocks, saturating_nanoseconds};

/// A clock that stands still until it is told to advance: for tests and simulations.
///
/// A simulated function holds a reference to the clock and advances it by its latency.
///
/// ```
/// use std::time::Duration;
/// use bench_diff_core::{Clock, ManualClock};
///
/// let clock = ManualClock::new();
/// let start = clock.now();
/// clock.advance(Duration::from_micros(20));
/// assert_eq!(clock.nanoseconds(start, clock.now()), 20_000);
/// ```
#[derive(Debug, Default)]
pub struct ManualClock {
    now: Cell<u64>,
}

impl ManualClock {
    /// A clock that stands at 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves the clock on; it stops at 2^64 - 1 ns, which is 584 years.
    pub fn advance(&self, by: Duration) {
        self.now.set(self.now.get().saturating_add(saturating_nanoseconds(by)));
    }
}

impl Clock for ManualClock {
    type Moment = u64;

    fn now(&self) -> u64 {
        self.now.get()
    }

    fn nanoseconds(&self, start: u64, end: u64) -> u64 {
        end.saturating_sub(start)
    }

    fn work(&self, units: u64) {
        self.advance(Duration::from_nanos(units));
    }

    fn resolution(&self) -> u64 {
        1
    }
}

/// A machine with this wall clock and no other.
impl Clocks for ManualClock {
    type Wall = Self;
    type Cpu = Self;

    fn wall(&self) -> &Self {
        self
    }
}

/// A machine whose two clocks and whose activity are moved by hand: for tests and simulations.
///
/// A simulated function that computes advances both clocks, one that waits or is interrupted only the wall
/// clock.
///
/// ```
/// use std::time::Duration;
/// use bench_diff_core::{Activity, Clocks, ManualClocks};
///
/// let clocks = ManualClocks::new();
/// clocks.compute(Duration::from_micros(20));
/// clocks.wait(Duration::from_millis(1));
/// assert_eq!(clocks.activity().map(|activity| activity.voluntary_switches), Some(1));
/// ```
#[derive(Debug)]
pub struct ManualClocks {
    wall: ManualClock,
    cpu: ManualClock,
    activity: Cell<Option<Activity>>,
}

impl ManualClocks {
    /// A machine whose clocks stand at 0 and whose process has done nothing.
    #[must_use]
    pub fn new() -> Self {
        Self {
            wall: ManualClock::new(),
            cpu: ManualClock::new(),
            activity: Cell::new(Some(Activity::default())),
        }
    }

    /// The thread computes: both clocks move on.
    pub fn compute(&self, time: Duration) {
        self.wall.advance(time);
        self.cpu.advance(time);
    }

    /// The thread is interrupted by others: only the wall clock moves on.
    pub fn interrupt(&self, time: Duration) {
        self.wall.advance(time);
    }

    /// The thread gives up its core and waits: only the wall clock moves on, and the wait is counted.
    pub fn wait(&self, time: Duration) {
        self.wall.advance(time);
        self.change(|activity| activity.voluntary_switches += 1);
    }

    /// Other threads of the process compute.
    pub fn compute_elsewhere(&self, time: Duration) {
        self.change(|activity| activity.other_threads_cpu += time);
    }

    /// From now on the machine does not tell what the process does.
    pub fn hide_activity(&self) {
        self.activity.set(None);
    }

    fn change(&self, change: impl FnOnce(&mut Activity)) {
        let mut activity = self.activity.get();
        if let Some(activity) = &mut activity {
            change(activity);
        }
        self.activity.set(activity);
    }
}

impl Default for ManualClocks {
    fn default() -> Self {
        Self::new()
    }
}

impl Clocks for ManualClocks {
    type Wall = ManualClock;
    type Cpu = ManualClock;

    fn wall(&self) -> &ManualClock {
        &self.wall
    }

    fn cpu(&self) -> Option<&ManualClock> {
        Some(&self.cpu)
    }

    fn activity(&self) -> Option<Activity> {
        self.activity.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_only_when_told() {
        let clock = ManualClock::new();
        let start = clock.now();
        assert_eq!(clock.nanoseconds(start, clock.now()), 0);
        clock.advance(Duration::from_nanos(7));
        assert_eq!(clock.nanoseconds(start, clock.now()), 7);
        assert_eq!(clock.nanoseconds(clock.now(), start), 0, "never negative");
        clock.advance(Duration::MAX);
        assert_eq!(clock.nanoseconds(start, clock.now()), u64::MAX, "saturates");
    }

    #[test]
    fn a_thread_that_does_not_compute_spends_no_cpu_time() {
        let clocks = ManualClocks::new();
        clocks.compute(Duration::from_nanos(5));
        clocks.interrupt(Duration::from_nanos(7));
        clocks.wait(Duration::from_nanos(11));
        assert_eq!((clocks.wall.now(), clocks.cpu.now()), (23, 5));

        clocks.compute_elsewhere(Duration::from_nanos(13));
        let activity = Activity { voluntary_switches: 1, other_threads_cpu: Duration::from_nanos(13) };
        assert_eq!(clocks.activity(), Some(activity));
        clocks.hide_activity();
        clocks.wait(Duration::from_nanos(1));
        assert_eq!(clocks.activity(), None);
    }
}
