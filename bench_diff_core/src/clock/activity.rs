//! What a thread and its process do besides computing.

use std::time::Duration;

/// What the calling thread and its process have done so far: what a CPU clock does not see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// How often the calling thread gave up its core to wait: for a lock, for a device, in a sleep.
    pub voluntary_switches: u64,
    /// The CPU time of the process less that of the calling thread.
    pub other_threads_cpu: Duration,
}

impl Activity {
    /// Reads it, on systems that count the switches of a single thread.
    #[cfg(any(target_os = "linux", target_os = "freebsd"))]
    pub(super) fn read() -> Option<Self> {
        use nix::sys::resource::{UsageWho, getrusage};
        use nix::time::{ClockId, clock_gettime};

        let switches = getrusage(UsageWho::RUSAGE_THREAD).ok()?.voluntary_context_switches();
        let thread = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).ok()?;
        let process = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).ok()?;
        Some(Self {
            voluntary_switches: u64::try_from(switches).ok()?,
            other_threads_cpu: Duration::from(process).saturating_sub(Duration::from(thread)),
        })
    }

    /// Reads nothing: this system does not count the switches of a single thread.
    #[cfg(not(any(target_os = "linux", target_os = "freebsd")))]
    pub(super) fn read() -> Option<Self> {
        None
    }

    /// What was done since an earlier reading.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            voluntary_switches: self.voluntary_switches.saturating_sub(earlier.voluntary_switches),
            other_threads_cpu: self.other_threads_cpu.saturating_sub(earlier.other_threads_cpu),
        }
    }
}
