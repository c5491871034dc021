//! The CPU clock of a thread.

use std::time::Duration;

use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_gettime};

use super::{Clock, saturating_nanoseconds};

/// The CPU time that the calling thread has spent, in its own code and in the kernel.
///
/// It stands still while the thread waits and while another one has its core. Moments that different threads read
/// have nothing in common.
#[derive(Clone, Copy, Debug)]
pub struct CpuClock(());

impl CpuClock {
    /// The clock; none where the system has none.
    #[must_use]
    pub fn new() -> Option<Self> {
        clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).ok().map(|_| Self(()))
    }
}

impl Clock for CpuClock {
    type Moment = TimeSpec;

    #[inline]
    fn now(&self) -> TimeSpec {
        // A clock that could be read once always can; if not, a slot without time is no pass.
        clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap_or(TimeSpec::new(0, 0))
    }

    fn nanoseconds(&self, start: TimeSpec, end: TimeSpec) -> u64 {
        saturating_nanoseconds(Duration::from(end).saturating_sub(Duration::from(start)))
    }
}
