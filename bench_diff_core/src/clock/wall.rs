//! The wall clock.

use std::time::Instant;

use super::{Clock, saturating_nanoseconds};

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
