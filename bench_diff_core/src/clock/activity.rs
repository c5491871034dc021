//! What a thread and its process do besides computing in that thread.

use std::time::Duration;

/// The CPU time of other threads that does not count.
///
/// The CPU times of the thread and of the process are read one after the other. The time that this thread
/// spends in between, including an interrupt, looks like another thread.
const NO_CPU_TIME: Duration = Duration::from_micros(50);

/// The longest difference between two such readings without an interrupt. A thread needs more to start.
const LONGEST_READING: Duration = Duration::from_micros(2);

/// The activity of the calling thread and its process so far that the CPU clock does not see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// How often the calling thread gave up its core to wait: for a lock, for a device, in a sleep.
    pub voluntary_switches: u64,
    /// The CPU time of the process minus that of the calling thread.
    pub other_threads_cpu: Duration,
}

impl Activity {
    /// Reads the activity, on systems that count the switches of a single thread.
    #[cfg(any(target_os = "linux", target_os = "freebsd"))]
    pub(super) fn read() -> Option<Self> {
        use super::cpu::{duration, time};

        let cpu_time = |clock| time(clock).map(duration);
        let thread = cpu_time(libc::CLOCK_THREAD_CPUTIME_ID)?;
        let process = cpu_time(libc::CLOCK_PROCESS_CPUTIME_ID)?;
        Some(Self {
            voluntary_switches: voluntary_switches()?,
            other_threads_cpu: process.saturating_sub(thread),
        })
    }

    /// Always `None`: this system does not count the switches of a single thread.
    #[cfg(not(any(target_os = "linux", target_os = "freebsd")))]
    pub(super) fn read() -> Option<Self> {
        None
    }

    /// Returns whether no other thread of the process computed.
    #[must_use]
    pub fn is_of_one_thread(self) -> bool {
        self.other_threads_cpu <= NO_CPU_TIME
    }

    /// Returns whether another thread of the process may have run, if only for a few microseconds. An
    /// interrupt while the activity is read looks the same.
    #[must_use]
    pub fn may_be_of_several_threads(self) -> bool {
        self.other_threads_cpu > LONGEST_READING
    }

    /// The activity since an earlier reading.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            voluntary_switches: self.voluntary_switches.saturating_sub(earlier.voluntary_switches),
            other_threads_cpu: self.other_threads_cpu.saturating_sub(earlier.other_threads_cpu),
        }
    }
}

/// How often the calling thread gave up its core to wait.
#[cfg(any(target_os = "linux", target_os = "freebsd"))]
fn voluntary_switches() -> Option<u64> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the pointer is valid for writes, and the call has filled the buffer if it returns 0.
    #[expect(unsafe_code, reason = "the standard library has no such call")]
    let usage = unsafe {
        (libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()) == 0).then(|| usage.assume_init())
    };
    u64::try_from(usage?.ru_nvcsw).ok()
}
