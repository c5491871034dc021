//! Clocks: where slot times come from.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// A source of slot times.
///
/// Reading it is the only thing that stands between a function and its measured time, so [`Clock::now`] does as
/// little as the platform allows and the conversion to nanoseconds happens after the slot.
pub trait Clock {
    /// One reading.
    type Moment: Copy;

    /// Reads the clock.
    fn now(&self) -> Self::Moment;

    /// Nanoseconds from `start` to `end`; 0 where the clock went backwards.
    fn nanoseconds(&self, start: Self::Moment, end: Self::Moment) -> u64;

    /// The smallest step that this clock was seen to make, in nanoseconds, at least 1.
    ///
    /// The default reads the clock 1000 times back to back. Where one reading takes longer than a tick, this is the
    /// time of a reading, which is the honest limit of what a slot can resolve.
    fn resolution(&self) -> u64 {
        let mut smallest = u64::MAX;
        let mut previous = self.now();
        for _ in 0..1000 {
            let moment = self.now();
            let step = self.nanoseconds(previous, moment);
            if step > 0 {
                smallest = smallest.min(step);
            }
            previous = moment;
        }
        if smallest == u64::MAX { 1 } else { smallest }
    }
}

/// The monotonic wall clock of the standard library.
#[derive(Clone, Copy, Debug, Default)]
pub struct InstantClock;

impl Clock for InstantClock {
    type Moment = Instant;

    #[inline]
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn nanoseconds(&self, start: Instant, end: Instant) -> u64 {
        saturating_nanoseconds(end.saturating_duration_since(start))
    }
}

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

    fn resolution(&self) -> u64 {
        1
    }
}

fn saturating_nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
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
