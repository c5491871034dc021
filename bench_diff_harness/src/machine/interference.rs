//! Interference with a run: the hypervisor of a virtual machine, and other programs on its cores.

use std::fs;
use std::time::Duration;

use super::proc::{self, CpuTicks};

/// The share of CPU time taken by the hypervisor above which there is a warning: a quiet guest loses less
/// than a tenth of that.
const STEAL_SHARE: f64 = 0.01;
/// The least ticks for a warning: fewer are the rounding of a short run.
const STEAL_TICKS: u64 = 3;

/// The involuntary context switches per second of CPU time above which there is a warning. An idle machine
/// has 2 to 3, from threads of the system; one with a second program on every core has 100 to 300.
const SWITCHES_PER_SECOND: f64 = 50.0;
/// The least switches for a warning: fewer are chance in a short run.
const SWITCHES: u64 = 10;
/// The switches of a process that starts: it is moved to another core, with 2 to 3 switches on an idle
/// machine, before it measures anything.
const SWITCHES_OF_A_START: u64 = 8;

/// A counter of the interference with a run; it is empty if the system reports none.
#[derive(Debug)]
pub(crate) struct Interference {
    /// The ticks of the cores at the start of the run.
    cores: Option<CpuTicks>,
    /// The usage of the process at the start of the run, if its switches are those forced by others.
    processes: Option<ResourceUsage>,
}

/// The resource usage of this process and of its children that have ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResourceUsage {
    cpu: Duration,
    /// The number of times that a thread that wanted to go on had to leave its core to another one.
    involuntary_switches: u64,
}

impl Interference {
    /// Starts counting.
    pub(crate) fn new(with_threads: bool) -> Self {
        // Threads that wait yield to each other, which counts as if other programs had forced it.
        let processes = if with_threads { None } else { ResourceUsage::read() };
        Self { cores: read_cores(), processes }
    }

    /// The warnings about interference so far, for a run that has started `started` processes and used
    /// `besides` for work other than measuring.
    pub(crate) fn warnings(&self, started: u64, besides: ResourceUsage) -> Vec<String> {
        let cores = read_cores().zip(self.cores);
        let steal = cores.and_then(|(now, earlier)| steal(now, earlier));
        let processes = ResourceUsage::read().zip(self.processes);
        let switches =
            processes.and_then(|(now, earlier)| switches(now.since(earlier).since(besides), started));
        steal.into_iter().chain(switches).collect()
    }
}

fn read_cores() -> Option<CpuTicks> {
    fs::read_to_string("/proc/stat").ok().and_then(|text| proc::ticks(&text))
}

fn steal(now: CpuTicks, earlier: CpuTicks) -> Option<String> {
    let stolen = now.steal.saturating_sub(earlier.steal);
    // Relative to the CPU time wanted, so that idle cores do not hide it.
    let wanted = now.busy.saturating_sub(earlier.busy).saturating_add(stolen);
    let share = stolen as f64 / wanted as f64;
    (stolen >= STEAL_TICKS && share > STEAL_SHARE).then(|| {
        format!(
            "the hypervisor took {:.1} % of the CPU time during the run (steal): other guests of its host were \
             busy, which adds noise",
            share * 100.0
        )
    })
}

fn switches(ResourceUsage { cpu, involuntary_switches }: ResourceUsage, started: u64) -> Option<String> {
    let count = involuntary_switches.saturating_sub(SWITCHES_OF_A_START.saturating_mul(started));
    let rate = count as f64 / cpu.as_secs_f64();
    (count >= SWITCHES && rate > SWITCHES_PER_SECOND).then(|| {
        format!(
            "the run lost its core {count} times to other programs or threads, {rate:.0} times in a second of its \
             CPU time (involuntary context switches), which adds noise"
        )
    })
}

impl ResourceUsage {
    /// The usage since an earlier reading.
    pub(crate) fn since(self, earlier: Self) -> Self {
        Self {
            cpu: self.cpu.saturating_sub(earlier.cpu),
            involuntary_switches: self.involuntary_switches.saturating_sub(earlier.involuntary_switches),
        }
    }

    /// The sum of both.
    pub(crate) fn and(self, more: Self) -> Self {
        Self {
            cpu: self.cpu + more.cpu,
            involuntary_switches: self.involuntary_switches + more.involuntary_switches,
        }
    }

    /// Reads the usage, on systems that count involuntary switches separately.
    #[cfg(any(target_os = "linux", target_os = "freebsd"))]
    pub(crate) fn read() -> Option<Self> {
        // Every round has its own process.
        let (own, children) = usage_of(libc::RUSAGE_SELF).zip(usage_of(libc::RUSAGE_CHILDREN))?;
        Some(own.and(children))
    }

    /// Reads nothing: this system does not count them.
    #[cfg(not(any(target_os = "linux", target_os = "freebsd")))]
    pub(crate) fn read() -> Option<Self> {
        None
    }
}

#[cfg(any(target_os = "linux", target_os = "freebsd"))]
fn usage_of(whose: libc::c_int) -> Option<ResourceUsage> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the pointer is valid for the write of the call, which has initialized the value if it returns
    // 0.
    #[expect(unsafe_code, reason = "the standard library does not tell")]
    let usage = unsafe { (libc::getrusage(whose, usage.as_mut_ptr()) == 0).then(|| usage.assume_init()) }?;
    let time = |time: libc::timeval| {
        let seconds = Duration::from_secs(u64::try_from(time.tv_sec).ok()?);
        Some(seconds + Duration::from_micros(u64::try_from(time.tv_usec).ok()?))
    };
    Some(ResourceUsage {
        cpu: time(usage.ru_utime)? + time(usage.ru_stime)?,
        involuntary_switches: u64::try_from(usage.ru_nivcsw).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steal_above_one_percent_is_worth_a_warning() {
        let ticks = |busy: u64, steal: u64| CpuTicks { busy, steal };
        let since = |busy: u64, stolen: u64| steal(ticks(5000 + busy, 100 + stolen), ticks(5000, 100));
        assert_eq!(since(990, 10), None, "one percent");
        assert_eq!(
            since(958, 42).unwrap(),
            "the hypervisor took 4.2 % of the CPU time during the run (steal): other guests of its host were busy, \
             which adds noise"
        );
        assert_eq!(since(5, 2), None, "rounding");
        assert!(since(5, 3).is_some());
        assert_eq!(since(0, 0), None, "no time at all");
        assert_eq!(steal(ticks(0, 0), ticks(5000, 100)), None, "counters that went back");
    }

    fn had(cpu: u64, involuntary_switches: u64) -> ResourceUsage {
        ResourceUsage { cpu: Duration::from_millis(cpu), involuntary_switches }
    }

    #[test]
    fn more_switches_than_an_idle_machine_has_are_worth_a_warning() {
        let after = |cpu, count| switches(had(cpu, count), 0);
        assert_eq!(after(1000, 50), None);
        assert_eq!(
            after(500, 60).unwrap(),
            "the run lost its core 60 times to other programs or threads, 120 times in a second of its CPU time \
             (involuntary context switches), which adds noise"
        );
        assert_eq!(after(50, 9), None, "chance");
        assert!(after(50, 10).is_some());
        assert_eq!(after(0, 0), None);
        assert_eq!(switches(had(500, 89), 10), None, "those of ten starts");
        assert!(switches(had(500, 110), 10).unwrap().contains(" 30 times "));
    }

    #[test]
    fn what_was_had_before_does_not_count() {
        assert_eq!(had(720, 45).since(had(700, 40)), had(20, 5));
        assert_eq!(had(0, 0).since(had(700, 40)), had(0, 0), "counters that went back");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_switches_of_threads_tell_nothing_of_others() {
        assert!(Interference::new(false).processes.is_some());
        let interference = Interference::new(true);
        assert!(interference.cores.is_some() && interference.processes.is_none());
    }
}
