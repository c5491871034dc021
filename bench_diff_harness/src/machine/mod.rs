//! The measuring machine: what is known about it before a run, which facts deserve a warning, and what the
//! hypervisor of a virtual machine takes during the run.

mod facts;
mod proc;

use std::fs;

pub(crate) use self::facts::{read, warning};
use self::proc::CpuTicks;

/// The smallest share of CPU time taken by the hypervisor that causes a warning. A quiet guest loses less
/// than a tenth of it.
const STEAL_SHARE: f64 = 0.01;

/// The smallest number of ticks for a warning, since a short run may lose fewer by rounding.
const STEAL_TICKS: u64 = 3;

/// The warning if there was too much interference since the cores had these ticks.
pub(crate) fn interference(earlier: Option<CpuTicks>) -> Option<String> {
    steal(ticks()?, earlier?)
}

/// The ticks of the cores so far; `None` if the system does not provide them.
pub(crate) fn ticks() -> Option<CpuTicks> {
    fs::read_to_string("/proc/stat").ok().and_then(|text| proc::ticks(&text))
}

fn steal(now: CpuTicks, earlier: CpuTicks) -> Option<String> {
    let stolen = now.steal.saturating_sub(earlier.steal);
    // Relative to the CPU time that programs wanted, so that idle cores do not hide it.
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
        assert_eq!(steal(ticks(0, 0), ticks(5000, 100)), None, "counters that were reset");
    }
}
