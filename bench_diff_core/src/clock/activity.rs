//! What a thread and its process do besides computing in that thread.

use std::time::Duration;

/// The CPU times of the thread and of the process are read one after the other. What this thread does in
/// between, including an interrupt, looks like another thread. Without an interrupt it takes less than this,
/// and starting a thread takes more.
const LONGEST_READING: Duration = Duration::from_micros(2);

/// How often an interrupted reading is repeated.
#[cfg(any(target_os = "linux", target_os = "freebsd", test))]
const REPETITIONS: usize = 4;

/// The activity of the calling thread and its process so far that the CPU clock does not see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// How often the calling thread gave up its core to wait: for a lock, for a device, in a sleep.
    pub voluntary_switches: u64,
    /// The CPU time of the other threads of the process, plus that of programs which it started and waited
    /// for.
    pub other_threads_cpu: Duration,
}

impl Activity {
    /// Reads the activity, on systems that count the switches of a single thread.
    #[cfg(any(target_os = "linux", target_os = "freebsd"))]
    pub(super) fn read() -> Option<Self> {
        use super::cpu::{duration, time};

        let cpu_time = |clock| time(clock).map(duration);
        let thread = || cpu_time(libc::CLOCK_THREAD_CPUTIME_ID);
        let process = || cpu_time(libc::CLOCK_PROCESS_CPUTIME_ID);
        let other_threads_cpu = least_disturbed(|| Some([thread()?, process()?, thread()?]))?;
        let children = usage(libc::RUSAGE_CHILDREN)?;
        let of_children = duration_of(children.ru_utime) + duration_of(children.ru_stime);
        let voluntary_switches = u64::try_from(usage(libc::RUSAGE_THREAD)?.ru_nvcsw).ok()?;
        Some(Self { voluntary_switches, other_threads_cpu: other_threads_cpu + of_children })
    }

    /// Always `None`: this system does not count the switches of a single thread.
    #[cfg(not(any(target_os = "linux", target_os = "freebsd")))]
    pub(super) fn read() -> Option<Self> {
        None
    }

    /// Returns whether other threads and programs used more than 2 us of CPU time, which is the uncertainty
    /// of the readings. Call it on a difference, from [`since`](Self::since).
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

/// The CPU time of other threads, from readings of that of the thread, of the process, and of the thread
/// again.
#[cfg(any(target_os = "linux", target_os = "freebsd", test))]
fn least_disturbed(mut read: impl FnMut() -> Option<[Duration; 3]>) -> Option<Duration> {
    let mut least = Duration::MAX;
    for _ in 0..=REPETITIONS {
        let [before, process, after] = read()?;
        least = least.min(process.saturating_sub(before));
        if after.saturating_sub(before) <= LONGEST_READING {
            break;
        }
    }
    Some(least)
}

/// What the calling thread, or all processes that this one waited for, have used.
#[cfg(any(target_os = "linux", target_os = "freebsd"))]
fn usage(whose: libc::c_int) -> Option<libc::rusage> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the pointer is valid for writes, and the call has filled the buffer if it returns 0.
    #[expect(unsafe_code, reason = "the standard library has no such call")]
    unsafe {
        (libc::getrusage(whose, usage.as_mut_ptr()) == 0).then(|| usage.assume_init())
    }
}

#[cfg(any(target_os = "linux", target_os = "freebsd"))]
fn duration_of(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_reading_is_repeated() {
        let other = |readings: &[[u64; 3]]| {
            let mut readings = readings.iter();
            let read = || readings.next().map(|reading| reading.map(Duration::from_micros));
            (least_disturbed(read).map(|time| time.as_micros()), readings.count())
        };
        assert_eq!(other(&[[0, 1, 2], [9, 9, 9]]), (Some(1), 1));
        assert_eq!(other(&[[0, 40, 50], [50, 51, 52], [9, 9, 9]]), (Some(1), 1), "by 40 us");
        assert_eq!(other(&[[0, 90, 100]; 9]), (Some(90), 4), "another thread, on a slow clock");
        assert_eq!(other(&[[0, 90, 100]]), (None, 0), "no reading");
    }
}
