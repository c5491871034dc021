//! The CPU clock of a thread.

use std::mem::MaybeUninit;
use std::time::Duration;

use libc::{CLOCK_THREAD_CPUTIME_ID, clockid_t, timespec};

use super::{Clock, saturating_nanoseconds};

/// The CPU time that the calling thread has spent, in its own code and in the kernel.
///
/// It stands still while the thread waits and while another one has its core. Moments that different threads
/// read have nothing in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuClock(());

impl CpuClock {
    /// The clock; none where the system has none.
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
        // A clock that could be read once always can; if not, a slot without time is no pass.
        let [start, end] = [start, end].map(|moment| moment.map(duration).unwrap_or_default());
        saturating_nanoseconds(end.saturating_sub(start))
    }
}

/// Reads a clock of the system; none where there is no such clock.
#[inline]
pub(super) fn time(clock: clockid_t) -> Option<timespec> {
    let mut time = MaybeUninit::uninit();
    // SAFETY: the call fills what the pointer says, which is valid for that; 0 says that it did.
    #[expect(unsafe_code, reason = "the standard library has only the clocks of the wall")]
    unsafe {
        (libc::clock_gettime(clock, time.as_mut_ptr()) == 0).then(|| time.assume_init())
    }
}

/// The time since a clock was at 0.
pub(super) fn duration(time: timespec) -> Duration {
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), nanoseconds)
}
