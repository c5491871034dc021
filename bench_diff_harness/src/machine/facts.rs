//! What is known about the machine before a run, and warnings about it.

use std::fs;
use std::path::Path;
use std::thread;

use bench_diff_core::Instruments;

use super::proc;
use bench_diff_system::input;
use bench_diff_system::order::in_order;
use bench_diff_system::text::counted;

/// Facts about the machine before a run; `None` if the system does not provide one.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Serialize)]
pub(crate) struct Machine {
    /// The model of the CPU.
    pub(crate) cpu: Option<String>,
    /// The cores that this process may use.
    pub(crate) cores: Option<usize>,
    /// The cores that share the load: in a container, all cores of its host.
    pub(crate) all_cores: Option<usize>,
    /// The frequency governor of the cores; several names if they differ.
    pub(crate) governor: Option<String>,
    /// The average number of tasks that ran or waited to run, over the last minute.
    pub(crate) load: Option<f64>,
    pub(crate) costs: Option<Costs>,
}

/// The costs of measuring on this machine, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Serialize)]
pub(crate) struct Costs {
    /// The time of a reading of the wall clock.
    pub(crate) clock_reading_ns: u64,
    /// The smallest step of the wall clock.
    pub(crate) clock_resolution_ns: u64,
    /// The time of a call of a function that does nothing.
    pub(crate) empty_call_ns: f64,
}

impl Costs {
    pub(crate) fn of(instruments: &Instruments<'_>) -> Self {
        Self {
            clock_reading_ns: instruments.wall.reading,
            clock_resolution_ns: instruments.wall.resolution,
            empty_call_ns: instruments.empty_call,
        }
    }

    pub(crate) fn text(self) -> String {
        let Self { clock_reading_ns, clock_resolution_ns, empty_call_ns } = self;
        format!(
            "clock read in {clock_reading_ns} ns, steps of {clock_resolution_ns} ns, empty call {empty_call_ns:.1} ns"
        )
    }
}

impl Machine {
    /// Reads the facts from the system.
    pub(crate) fn read() -> Self {
        Self::read_from(Path::new("/"))
    }

    /// Reads the facts from the files below this folder.
    fn read_from(root: &Path) -> Self {
        let file = |path: &str| fs::read_to_string(root.join(path)).ok();
        Self {
            cpu: file("proc/cpuinfo").and_then(|text| proc::cpu(&text)),
            cores: thread::available_parallelism().ok().map(Into::into),
            all_cores: file("proc/stat").and_then(|text| proc::cores(&text)),
            governor: governor(&root.join(CORES)),
            load: file("proc/loadavg").and_then(|text| proc::load(&text)),
            costs: None,
        }
    }

    /// The warning before a run, if the governor may change the frequency.
    pub(crate) fn warning(&self) -> Option<String> {
        let governor = self.governor.as_ref()?;
        (!["performance", "userspace"].contains(&governor.as_str())).then(|| {
            format!(
                "set the frequency governor to performance: under {governor} the cores may change their speed, which \
                 adds noise"
            )
        })
    }

    /// A line with the known facts.
    pub(crate) fn line(&self) -> Option<String> {
        let mut known = Vec::new();
        known.extend(self.cpu.clone());
        match (self.cores, self.all_cores) {
            (None, _) => {}
            (Some(cores), Some(all)) if all > cores => known.push(format!("{cores} of {all} cores")),
            (Some(cores), _) => known.push(counted(cores, "core")),
        }
        known.extend(self.governor.as_ref().map(|governor| format!("governor {governor}")));
        known.extend(self.load.map(|load| format!("load {load:.2}")));
        known.extend(self.costs.map(Costs::text));
        (!known.is_empty()).then(|| format!("machine: {}", known.join(", ")))
    }
}

/// The folder of the cores, below the root.
const CORES: &str = "sys/devices/system/cpu";

/// The frequency governors of the cores in this folder.
fn governor(cores: &Path) -> Option<String> {
    let entries = input::entries(cores);
    let cores = entries.iter().filter(|entry| entry.file_name().to_str().is_some_and(proc::is_core));
    let texts =
        cores.filter_map(|core| fs::read_to_string(core.path().join("cpufreq/scaling_governor")).ok());
    let names = in_order(texts.map(|text| text.trim().to_owned()));
    Some(names.join("/")).filter(|names| !names.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        Machine {
            cpu: Some("AMD EPYC 7B13".to_owned()),
            cores: Some(2),
            all_cores: Some(2),
            governor: Some("performance".to_owned()),
            load: Some(0.314),
            costs: Some(Costs { clock_reading_ns: 22, clock_resolution_ns: 1, empty_call_ns: 1.414 }),
        }
    }

    #[test]
    fn the_line_has_what_is_known() {
        let line = |machine: Machine| machine.line();
        assert_eq!(
            line(machine()).unwrap(),
            "machine: AMD EPYC 7B13, 2 cores, governor performance, load 0.31, clock read in 22 ns, steps of 1 ns, \
             empty call 1.4 ns"
        );
        let mixed = Machine {
            cpu: None,
            costs: None,
            all_cores: Some(64),
            governor: Some("performance/schedutil".to_owned()),
            ..machine()
        };
        assert_eq!(line(mixed).unwrap(), "machine: 2 of 64 cores, governor performance/schedutil, load 0.31");
        assert_eq!(line(Machine { cores: Some(1), ..Machine::default() }).unwrap(), "machine: 1 core");
        assert_eq!(line(Machine::default()), None);
    }

    #[test]
    fn a_governor_that_moves_the_frequency_is_worth_a_warning() {
        let of_governor =
            |name: &str| Machine { governor: Some(name.to_owned()), ..Machine::default() }.warning();
        assert_eq!((of_governor("performance"), of_governor("userspace")), (None, None));
        assert!(
            of_governor("performance/schedutil").unwrap().contains("under performance/schedutil the cores")
        );
    }

    #[test]
    fn facts_are_read_from_files_of_the_system() {
        let root = tempfile::tempdir().unwrap();
        let file = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let nothing = Machine { cores: None, ..Machine::read_from(root.path()) };
        assert_eq!(nothing, Machine::default(), "there are no files yet");

        file("proc/cpuinfo", "model name\t: AMD EPYC\n");
        file("proc/stat", "cpu  1 2\ncpu0 1 2\ncpu1 1 2\n");
        file("proc/loadavg", "0.31 0.40 0.50 1/79 30206\n");
        let cores = "sys/devices/system/cpu";
        file(&format!("{cores}/cpu0/cpufreq/scaling_governor"), "powersave\n");
        file(&format!("{cores}/cpu1/cpufreq/scaling_governor"), "performance\n");
        // Cores without frequencies and other folders don't count.
        file(&format!("{cores}/cpu2/online"), "0\n");
        file(&format!("{cores}/cpufreq/scaling_governor"), "ondemand\n");
        assert_eq!(
            Machine { cores: None, ..Machine::read_from(root.path()) },
            Machine {
                cpu: Some("AMD EPYC".to_owned()),
                cores: None,
                all_cores: Some(2),
                governor: Some("performance/powersave".to_owned()),
                load: Some(0.31),
                costs: None,
            }
        );
    }
}
