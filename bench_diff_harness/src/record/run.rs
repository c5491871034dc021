//! The last record of a run.

use serde::Serialize;

use super::Outcome;
use crate::machine::{Costs, Machine};

/// What is known of the machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct MachineRecord {
    pub(crate) cpu: Option<String>,
    pub(crate) cores: Option<usize>,
    pub(crate) governor: Option<String>,
    pub(crate) load: Option<f64>,
    pub(crate) costs: Option<Costs>,
}

/// A whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct RunRecord {
    pub(crate) event: &'static str,
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) inconclusive: usize,
    pub(crate) errors: usize,
    pub(crate) ignored: usize,
    pub(crate) measured: usize,
    pub(crate) elapsed_s: f64,
    pub(crate) machine: MachineRecord,
}

impl From<&Machine> for MachineRecord {
    fn from(machine: &Machine) -> Self {
        let Machine { cpu, cores, governor, load, costs, .. } = machine;
        Self {
            cpu: cpu.clone(),
            cores: *cores,
            governor: governor.as_ref().map(ToString::to_string),
            load: *load,
            costs: *costs,
        }
    }
}

impl RunRecord {
    /// The count of the outcomes.
    pub(crate) fn of(machine: &Machine, outcomes: impl Iterator<Item = Outcome>, elapsed_s: f64) -> Self {
        let mut run = Self { event: "run", elapsed_s, machine: machine.into(), ..Self::default() };
        for outcome in outcomes {
            *match outcome {
                Outcome::Pass => &mut run.passed,
                Outcome::Fail => &mut run.failed,
                Outcome::Inconclusive => &mut run.inconclusive,
                Outcome::Error => &mut run.errors,
                Outcome::Ignored => &mut run.ignored,
                Outcome::Measured => &mut run.measured,
            } += 1;
        }
        run
    }
}
