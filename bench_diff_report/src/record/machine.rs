//! The machine of a run, in the records.

use bench_diff_system::text::counted;

/// Facts about the machine before a run; `None` if the system does not provide one.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Serialize)]
pub struct Machine {
    /// The model of the CPU.
    pub cpu: Option<String>,
    /// The cores that this process may use.
    pub cores: Option<usize>,
    /// The cores that share the load: in a container, all cores of its host.
    pub all_cores: Option<usize>,
    /// The frequency governor of the cores; several names if they differ.
    pub governor: Option<String>,
    /// The average number of tasks that ran or waited to run, over the last minute.
    pub load: Option<f64>,
    /// The costs of measuring; `None` if they were not measured.
    pub costs: Option<Costs>,
}

/// The costs of measuring on this machine, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Serialize)]
pub struct Costs {
    /// The time of a reading of the wall clock.
    pub clock_reading_ns: u64,
    /// The smallest step of the wall clock.
    pub clock_resolution_ns: u64,
    /// The time of a call of a function that does nothing.
    pub empty_call_ns: f64,
}

impl Costs {
    /// The costs in words.
    pub(crate) fn text(self) -> String {
        let Self { clock_reading_ns, clock_resolution_ns, empty_call_ns } = self;
        format!(
            "clock read in {clock_reading_ns} ns, steps of {clock_resolution_ns} ns, empty call {empty_call_ns:.1} ns"
        )
    }
}

impl Machine {
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
}
