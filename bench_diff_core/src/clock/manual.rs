//! A clock that is moved by hand.

use std::cell::Cell;
use std::time::Duration;

use super::{Clock, Clocks, SlotClock, saturating_nanoseconds};

/// A clock that stands still until [`advance`](Self::advance) is called, for tests and simulations.
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

    /// Advances the clock. It stops at 2^64 - 1 ns, which is 584 years.
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

/// A machine whose only clock is this wall clock.
impl Clocks for ManualClock {
    fn wall(&self) -> &dyn SlotClock {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_only_by_advance() {
        let clock = ManualClock::new();
        let start = clock.now();
        assert_eq!(clock.nanoseconds(start, clock.now()), 0);
        clock.advance(Duration::from_nanos(7));
        assert_eq!(clock.nanoseconds(start, clock.now()), 7);
        assert_eq!(clock.nanoseconds(clock.now(), start), 0, "never negative");
        clock.advance(Duration::MAX);
        assert_eq!(clock.nanoseconds(start, clock.now()), u64::MAX, "saturates");
    }
}
