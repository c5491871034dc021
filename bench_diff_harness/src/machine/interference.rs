//! What kept a run from computing: the hypervisor of a virtual machine, and other programs on its cores.

use std::fs;
use std::time::Duration;

use super::proc::{self, CpuTicks};

/// A share of the CPU time that the hypervisor may take before it is worth a warning: a quiet guest loses less than a
/// tenth of it.
const STEAL_SHARE: f64 = 0.01;
/// Fewer are the rounding of a short run.
const STEAL_TICKS: u64 = 3;

/// Involuntary context switches for each second of CPU time. On an idle machine there are 2 to 3, from the threads of
/// the system; where every core has a second program to run, 100 to 300.
const SWITCHES_PER_SECOND: f64 = 50.0;
/// Fewer are chance in a short run.
const SWITCHES: u64 = 10;

/// What the system has counted so far; nothing where it does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    cores: Option<CpuTicks>,
    process: Option<Process>,
}

/// What this process has had, with those that it started and that have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    cpu: Duration,
    /// How often a thread that wanted to go on had to leave its core to another one.
    involuntary_switches: u64,
}

impl Reading {
    /// Reads what the system tells.
    pub(crate) fn now() -> Self {
        Self {
            cores: fs::read_to_string("/proc/stat").ok().and_then(|text| proc::ticks(&text)),
            process: Process::read(),
        }
    }

    /// What disturbed the time since an earlier reading.
    pub(crate) fn warnings_since(&self, earlier: &Self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let (Some(now), Some(earlier)) = (self.cores, earlier.cores) {
            warnings.extend(steal(now, earlier));
        }
        if let (Some(now), Some(earlier)) = (self.process, earlier.process) {
            warnings.extend(switches(now, earlier));
        }
        warnings
    }
}

fn steal(now: CpuTicks, earlier: CpuTicks) -> Option<String> {
    let stolen = now.steal.saturating_sub(earlier.steal);
    // Of the time that was wanted, so that idle cores do not hide it.
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

fn switches(now: Process, earlier: Process) -> Option<String> {
    let count = now.involuntary_switches.saturating_sub(earlier.involuntary_switches);
    let rate = count as f64 / now.cpu.saturating_sub(earlier.cpu).as_secs_f64();
    (count >= SWITCHES && rate > SWITCHES_PER_SECOND).then(|| {
        format!(
            "the run lost its core {count} times to other programs or threads, {rate:.0} times in a second of its \
             CPU time (involuntary context switches), which adds noise"
        )
    })
}

impl Process {
    /// Reads it, on systems that count these switches apart from all others.
    #[cfg(any(target_os = "linux", target_os = "freebsd"))]
    fn read() -> Option<Self> {
        // An isolated pair has a process of its own.
        let (own, children) = usage(libc::RUSAGE_SELF).zip(usage(libc::RUSAGE_CHILDREN))?;
        Some(Self {
            cpu: own.cpu + children.cpu,
            involuntary_switches: own.involuntary_switches + children.involuntary_switches,
        })
    }

    /// Reads nothing: this system does not count them.
    #[cfg(not(any(target_os = "linux", target_os = "freebsd")))]
    fn read() -> Option<Self> {
        None
    }
}

#[cfg(any(target_os = "linux", target_os = "freebsd"))]
fn usage(whose: libc::c_int) -> Option<Process> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the call fills what the pointer says, which is valid for that; 0 says that it did.
    #[expect(unsafe_code, reason = "the standard library does not tell")]
    let usage = unsafe { (libc::getrusage(whose, usage.as_mut_ptr()) == 0).then(|| usage.assume_init()) }?;
    let time = |time: libc::timeval| {
        let seconds = Duration::from_secs(u64::try_from(time.tv_sec).ok()?);
        Some(seconds + Duration::from_micros(u64::try_from(time.tv_usec).ok()?))
    };
    Some(Process {
        cpu: time(usage.ru_utime)? + time(usage.ru_stime)?,
        involuntary_switches: u64::try_from(usage.ru_nivcsw).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cores(busy: u64, steal: u64) -> Reading {
        Reading { cores: Some(CpuTicks { busy, steal }), process: None }
    }

    fn process(cpu: u64, involuntary_switches: u64) -> Reading {
        let cpu = Duration::from_millis(cpu);
        Reading { cores: None, process: Some(Process { cpu, involuntary_switches }) }
    }

    #[test]
    fn steal_above_one_percent_is_worth_a_warning() {
        let since = |busy: u64, steal: u64| cores(5000 + busy, 100 + steal).warnings_since(&cores(5000, 100));
        assert_eq!(since(990, 10), [""; 0], "one percent");
        assert_eq!(
            since(958, 42),
            [
                "the hypervisor took 4.2 % of the CPU time during the run (steal): other guests of its host were busy, \
              which adds noise"
            ]
        );
        assert_eq!(since(5, 2), [""; 0], "rounding");
        assert_eq!(since(5, 3).len(), 1);
        assert_eq!(since(0, 0), [""; 0], "no time at all");
        assert_eq!(cores(0, 0).warnings_since(&cores(5000, 100)), [""; 0], "counters that went back");
    }

    #[test]
    fn more_switches_than_an_idle_machine_has_are_worth_a_warning() {
        let since = |cpu: u64, count: u64| process(700 + cpu, 40 + count).warnings_since(&process(700, 40));
        assert_eq!(since(1000, 50), [""; 0]);
        assert_eq!(
            since(500, 60),
            [
                "the run lost its core 60 times to other programs or threads, 120 times in a second of its CPU time \
              (involuntary context switches), which adds noise"
            ]
        );
        assert_eq!(since(50, 9), [""; 0], "chance");
        assert_eq!(since(50, 10).len(), 1);
        assert_eq!(since(0, 0), [""; 0]);
        assert_eq!(process(0, 0).warnings_since(&process(700, 40)), [""; 0], "counters that went back");
    }

    #[test]
    fn what_the_system_does_not_tell_is_no_warning() {
        let silent = Reading::default();
        let told = Reading { process: process(1000, 900).process, ..cores(900, 900) };
        assert_eq!(told.warnings_since(&silent), [""; 0]);
        assert_eq!(silent.warnings_since(&told), [""; 0]);
        let zero = Reading { process: process(0, 0).process, ..cores(0, 0) };
        assert_eq!(told.warnings_since(&zero).len(), 2);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_system_tells() {
        let earlier = Reading::now();
        let mut now = earlier;
        while now.process.unwrap().cpu == earlier.process.unwrap().cpu {
            now = Reading::now();
        }
        assert!(now.process.unwrap().cpu > earlier.process.unwrap().cpu);
        assert!(now.cores.unwrap().busy >= earlier.cores.unwrap().busy);
    }
}
