//! The CPU clock of a thread.

use std::mem::MaybeUninit;
use std::time::Duration;

use libc::{CLOCK_THREAD_CPUTIME_ID, clockid_t, timespec};

use super::{Clock, saturating_nanoseconds};

/// The CPU time that the calling thread has spent, in its own code and in the kernel.
///
/// The clock stands still while the thread waits and while another thread has its core. Moments read by
/// different threads cannot be compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuClock(());

impl CpuClock {
    /// The clock; `None` if the system has none.
    pub(crate) fn new() -> Option<Self> {
        time(CLOCK_THREAD_CPUTIME_ID).map(|_| Self(()))
    }
}

impl Clock for CpuClock {
    type Moment = Option<timespec>;

    #[inline]
    fn now(&self) -> Option<timespec> {
        time(CLOCK_THREAD_CPUTIME_ID)
    }

    fn nanoseconds(&self, start: Option<timespec>, end: Option<timespec>) -> u64 {
        // A clock that worked once keeps working. If it ever fails, the slot takes no time, which is never a
        // pass.
        start
            .zip(end)
            .map_or(0, |(start, end)| saturating_nanoseconds(duration(end).saturating_sub(duration(start))))
    }
}

/// Reads a clock of the system; `None` if there is no such clock.
#[inline]
pub(super) fn time(clock: clockid_t) -> Option<timespec> {
    let mut time = MaybeUninit::uninit();
    // SAFETY: the pointer is valid for writes, and the call has filled the buffer if it returns 0.
    #[expect(unsafe_code, reason = "the standard library has only wall clocks")]
    unsafe {
        (libc::clock_gettime(clock, time.as_mut_ptr()) == 0).then(|| time.assume_init())
    }
}

/// The time since a clock was at 0.
pub(super) fn duration(time: timespec) -> Duration {
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), nanoseconds)
}
