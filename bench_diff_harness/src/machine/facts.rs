//! What is known about the machine before a run, and warnings about it.

use std::fs;
use std::path::Path;
use std::thread;

use bench_diff_core::Instruments;
use bench_diff_report::record::{Costs, Machine};
use bench_diff_system::input;
use bench_diff_system::order::in_order;

use super::proc;

/// Reads the facts from the system, and adds what measuring costs with these instruments.
pub(crate) fn read(instruments: &Instruments<'_>) -> Machine {
    let costs = Costs {
        clock_reading_ns: instruments.wall.reading,
        clock_resolution_ns: instruments.wall.resolution,
        empty_call_ns: instruments.empty_call,
    };
    Machine { costs: Some(costs), ..read_from(Path::new("/")) }
}

/// Reads the facts from the files below this folder.
fn read_from(root: &Path) -> Machine {
    let file = |path: &str| fs::read_to_string(root.join(path)).ok();
    Machine {
        cpu: file("proc/cpuinfo").and_then(|text| proc::cpu(&text)),
        cores: thread::available_parallelism().ok().map(Into::into),
        all_cores: file("proc/stat").and_then(|text| proc::cores(&text)),
        governor: governor(&root.join(CORES)),
        load: file("proc/loadavg").and_then(|text| proc::load(&text)),
        costs: None,
    }
}

/// The warning before a run, if the governor may change the frequency.
pub(crate) fn warning(machine: &Machine) -> Option<String> {
    let governor = machine.governor.as_ref()?;
    (!["performance", "userspace"].contains(&governor.as_str())).then(|| {
        format!(
            "set the frequency governor to performance: under {governor} the cores may change their speed, which \
             adds noise"
        )
    })
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

    #[test]
    fn a_governor_that_moves_the_frequency_is_worth_a_warning() {
        let of_governor =
            |name: &str| warning(&Machine { governor: Some(name.to_owned()), ..Machine::default() });
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
        let nothing = Machine { cores: None, ..read_from(root.path()) };
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
            Machine { cores: None, ..read_from(root.path()) },
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
