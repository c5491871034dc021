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

/// What disturbs a run, counted while it goes on; nothing where the system does not tell.
#[derive(Debug, Default)]
pub(crate) struct Interference {
    /// What the cores had done when the run began.
    cores: Option<CpuTicks>,
    /// What the process had had when the pair at hand began, where its switches tell of others.
    before_pair: Option<Process>,
    /// What it has had in all such pairs.
    in_pairs: Process,
}

/// What this process has had, with those that it started and that have ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Process {
    cpu: Duration,
    /// How often a thread that wanted to go on had to leave its core to another one.
    involuntary_switches: u64,
}

impl Interference {
    /// Begins to count.
    pub(crate) fn new() -> Self {
        Self { cores: read_cores(), ..Self::default() }
    }

    /// Tells that a pair begins whose functions so many threads call.
    pub(crate) fn pair_begins(&mut self, threads: usize) {
        // Several threads make room for each other where they wait, which counts as if others had done it.
        self.before_pair = if threads == 1 { Process::read() } else { None };
    }

    /// Tells that the pair has ended.
    pub(crate) fn pair_ends(&mut self) {
        if let (Some(now), Some(before)) = (Process::read(), self.before_pair.take()) {
            self.in_pairs.add(now, before);
        }
    }

    /// What disturbed the run so far.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let cores = read_cores().zip(self.cores);
        let steal = cores.and_then(|(now, earlier)| steal(now, earlier));
        steal.into_iter().chain(switches(self.in_pairs)).collect()
    }
}

fn read_cores() -> Option<CpuTicks> {
    fs::read_to_string("/proc/stat").ok().and_then(|text| proc::ticks(&text))
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

fn switches(Process { cpu, involuntary_switches: count }: Process) -> Option<String> {
    let rate = count as f64 / cpu.as_secs_f64();
    (count >= SWITCHES && rate > SWITCHES_PER_SECOND).then(|| {
        format!(
            "the run lost its core {count} times to other programs or threads, {rate:.0} times in a second of its \
             CPU time (involuntary context switches), which adds noise"
        )
    })
}

impl Process {
    /// Adds what has come from an earlier reading to a later one.
    fn add(&mut self, now: Self, earlier: Self) {
        self.cpu += now.cpu.saturating_sub(earlier.cpu);
        self.involuntary_switches += now.involuntary_switches.saturating_sub(earlier.involuntary_switches);
    }

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

    fn process(cpu: u64, involuntary_switches: u64) -> Process {
        Process { cpu: Duration::from_millis(cpu), involuntary_switches }
    }

    #[test]
    fn more_switches_than_an_idle_machine_has_are_worth_a_warning() {
        let after = |cpu, count| switches(process(cpu, count));
        assert_eq!(after(1000, 50), None);
        assert_eq!(
            after(500, 60).unwrap(),
            "the run lost its core 60 times to other programs or threads, 120 times in a second of its CPU time \
             (involuntary context switches), which adds noise"
        );
        assert_eq!(after(50, 9), None, "chance");
        assert!(after(50, 10).is_some());
        assert_eq!(after(0, 0), None);
    }

    #[test]
    fn what_pairs_have_had_adds_up() {
        let mut all = process(10, 1);
        all.add(process(720, 45), process(700, 40));
        assert_eq!(all, process(30, 6));
        all.add(process(0, 0), process(700, 40));
        assert_eq!(all, process(30, 6), "counters that went back");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_time_of_one_thread_counts_and_that_of_several_does_not() {
        let mut interference = Interference::new();
        assert!(interference.cores.is_some());
        for (threads, counts) in [(2, false), (1, true)] {
            interference.pair_begins(threads);
            let start = Process::read().unwrap().cpu;
            while Process::read().unwrap().cpu == start {}
            interference.pair_ends();
            assert_eq!(interference.in_pairs.cpu > Duration::ZERO, counts, "{threads}");
        }
    }
}
