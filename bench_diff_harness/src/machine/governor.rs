//! The frequency governor of the cores.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::proc;
use crate::system::input;

/// What chooses the frequency of the cores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Governor {
    /// Each name once; more than one where the cores differ.
    names: Vec<String>,
    driver: Option<String>,
}

/// Drivers under which `powersave` lets the frequency follow the load, and does not mean the lowest one.
const SCALING_DRIVERS: [&str; 2] = ["intel_pstate", "amd-pstate-epp"];

impl Governor {
    /// Of the names that the cores have.
    fn new(names: impl Iterator<Item = String>, driver: Option<String>) -> Option<Self> {
        let names: BTreeSet<String> = names.filter(|name| !name.is_empty()).collect();
        (!names.is_empty()).then(|| Self { names: names.into_iter().collect(), driver })
    }

    /// Asks every core that has a folder in this one.
    pub(super) fn read(cores: &Path) -> Option<Self> {
        let entries = input::entries(cores);
        let cores = entries.iter().filter(|entry| entry.file_name().to_str().is_some_and(proc::is_core));
        let folders: Vec<PathBuf> = cores.map(|core| core.path().join("cpufreq")).collect();
        let words = |file: &'static str| {
            let texts = folders.iter().filter_map(move |folder| fs::read_to_string(folder.join(file)).ok());
            texts.map(|text| text.trim().to_owned())
        };
        Self::new(words("scaling_governor"), words("scaling_driver").next_back())
    }

    /// What it does to the figures, unless it keeps the frequency.
    pub(super) fn warning(&self) -> Option<String> {
        let [name] = self.names.as_slice() else {
            return Some(format!(
                "the cores have different frequency governors ({}): a function that moves from one to another \
                 changes its speed",
                self.names.join(", ")
            ));
        };
        let scaling = self.driver.as_deref().is_some_and(|driver| SCALING_DRIVERS.contains(&driver));
        match name.as_str() {
            "performance" | "userspace" => None,
            "powersave" if !scaling => Some(
                "the frequency governor is powersave, which keeps the cores at their lowest frequency: latencies \
                 are longer than at full speed, and ratios can be different ones"
                    .to_owned(),
            ),
            _ => Some(format!(
                "the frequency governor is {name}, under which the frequency of the cores follows their load; that \
                 adds noise, and under performance it does not"
            )),
        }
    }
}

impl fmt::Display for Governor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.names.as_slice() {
            [name] => f.write_str(name),
            names => write!(f, "mixed ({})", names.join(", ")),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::machine) fn governor(names: &[&str], driver: Option<&str>) -> Option<Governor> {
        Governor::new(names.iter().map(ToString::to_string), driver.map(ToString::to_string))
    }

    #[test]
    fn a_governor_that_moves_the_frequency_is_worth_a_warning() {
        let warning = |names: &[&str], driver| governor(names, driver).unwrap().warning();
        assert_eq!(warning(&["performance"], Some("intel_pstate")), None);
        assert_eq!(warning(&["userspace"], None), None, "somebody has set a frequency");
        for driver in SCALING_DRIVERS {
            assert!(warning(&["powersave"], Some(driver)).unwrap().contains("is powersave, under which"));
        }
        for driver in [Some("acpi-cpufreq"), None] {
            assert!(warning(&["powersave"], driver).unwrap().contains("lowest frequency"));
        }
        assert!(warning(&["schedutil"], None).unwrap().contains("is schedutil, under which"));
        let mixed = warning(&["performance", "powersave"], None).unwrap();
        assert!(mixed.contains("different frequency governors (performance, powersave)"), "{mixed}");
    }
}
