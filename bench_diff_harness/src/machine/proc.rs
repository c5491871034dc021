//! Parses what Linux reports about the machine under `/proc`, as functions of the files' text.

/// The time of the cores since the machine started, in ticks of the system's counter, usually of 10 ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CpuTicks {
    /// The busy time of all cores together, without steal time.
    pub(super) busy: u64,
    /// The time in which the cores could have run, but the hypervisor ran something else.
    pub(super) steal: u64,
}

/// The model of the CPU from `cpuinfo`.
pub(super) fn cpu(cpuinfo: &str) -> Option<String> {
    // 64-bit ARM reports numbers instead of a name.
    let arm =
        || Some(format!("ARM {} part {}", value(cpuinfo, "CPU implementer")?, value(cpuinfo, "CPU part")?));
    value(cpuinfo, "model name").or_else(arm)
}

/// The value of the first line with this key, without the padding that some models have.
fn value(cpuinfo: &str, wanted: &str) -> Option<String> {
    let fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    let mut values = fields.filter(|(key, _)| key.trim() == wanted).map(|(_, value)| value.trim());
    let value = values.find(|value| !value.is_empty())?;
    Some(value.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The number of cores that are online, from `stat`.
pub(super) fn cores(stat: &str) -> Option<usize> {
    let names = stat.lines().filter_map(|line| line.split_whitespace().next());
    Some(names.filter(|name| is_core(name)).count()).filter(|cores| *cores > 0)
}

/// Returns whether `name` is the name of a core, such as `cpu0`.
pub(super) fn is_core(name: &str) -> bool {
    name.strip_prefix("cpu").is_some_and(|number| number.parse::<u64>().is_ok())
}

/// The ticks of all cores, from `stat`; `None` for kernels without steal time.
pub(super) fn ticks(stat: &str) -> Option<CpuTicks> {
    let fields = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Vec<u64> = fields.split_whitespace().map_while(|field| field.parse().ok()).collect();
    // The time of this machine's own guests is included in the first two.
    let &[user, nice, system, _idle, _iowait, irq, softirq, steal, ..] = ticks.as_slice() else {
        return None;
    };
    let busy = [user, nice, system, irq, softirq].into_iter().fold(0, u64::saturating_add);
    Some(CpuTicks { busy, steal })
}

/// The load average of the last minute, from `loadavg`.
pub(super) fn load(loadavg: &str) -> Option<f64> {
    let load: f64 = loadavg.split_whitespace().next()?.parse().ok()?;
    (load.is_finite() && load >= 0.0).then_some(load)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_has_a_name() {
        let x86 = "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 79\n\
                   model name\t: Intel(R) Xeon(R) CPU           E5-2680 v4 @ 2.40GHz\nflags\t\t: fpu vme\n\n\
                   processor\t: 1\nmodel name\t: another one\n";
        assert_eq!(cpu(x86).unwrap(), "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz");
        let arm64 = "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n\
                     CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n";
        assert_eq!(cpu(arm64).unwrap(), "ARM 0x41 part 0xd0c");
        let arm32 = "processor\t: 0\nmodel name\t: ARMv7 Processor rev 3 (v7l)\nCPU implementer\t: 0x41\n\
                     CPU part\t: 0xd08\n\nHardware\t: BCM2711\n";
        assert_eq!(cpu(arm32).unwrap(), "ARMv7 Processor rev 3 (v7l)");
    }

    #[test]
    fn odd_cpuinfo_is_no_name() {
        for text in
            ["", "model name", "model name\t:\n", "model name\t:   \n", "CPU implementer: 0x41\n", "\0:\0"]
        {
            assert_eq!(cpu(text), None, "{text:?}");
        }
        assert_eq!(cpu("model name:\nmodel name: AMD EPYC\n").unwrap(), "AMD EPYC");
    }

    const STAT: &str = "cpu  715647 10 68925 1478236 3549 5 472 334 7 0\n\
                        cpu0 304732 5 32905 794399 869 2 123 170 7 0\n\
                        cpu1 410915 5 36019 683836 2679 3 349 164 0 0\n\
                        intr 123 4 5\nctxt 99\nprocesses 30206\n";

    #[test]
    fn the_cores_that_are_on_are_counted() {
        assert_eq!(cores(STAT), Some(2));
        assert_eq!(cores("cpu  1 2 3\ncpu7 1 2\ncpufreq 1\n"), Some(1));
        assert_eq!(cores("intr 1\n"), None);
        assert_eq!(cores(""), None);
    }

    #[test]
    fn ticks_are_summed_over_all_cores() {
        assert_eq!(ticks(STAT), Some(CpuTicks { busy: 715_647 + 10 + 68_925 + 5 + 472, steal: 334 }));
        assert_eq!(ticks("cpu 1 2 3 4 5 6 7 8\n"), Some(CpuTicks { busy: 19, steal: 8 }));
        for text in ["", "cpu0 1 2 3 4 5 6 7 8\n", "cpu 1 2 3 4 5 6 7\n", "cpu 1 2 x 4 5 6 7 8\n", "cpu\n"] {
            assert_eq!(ticks(text), None, "{text:?}");
        }
        let full = format!("cpu {0} {0} 0 0 0 0 0 1\n", u64::MAX);
        assert_eq!(ticks(&full), Some(CpuTicks { busy: u64::MAX, steal: 1 }));
    }

    #[test]
    fn the_load_of_the_last_minute_is_read() {
        assert_eq!(load("0.31 0.40 0.50 1/79 30206\n"), Some(0.31));
        for text in ["", "\n", "high 0.40", "NaN 1 1", "inf 1 1", "-1 0 0"] {
            assert_eq!(load(text), None, "{text:?}");
        }
    }
}
