//! What is known before a run, the events of the run, and its last record.

use std::collections::HashMap;
use std::time::Duration;

use bench_diff_core::Recording;
use bench_diff_system::text::counted;

use super::{OtherSide, Outcome, PairRecord, Uncompared};

/// The start of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StartRecord {
    /// The package of the bench.
    pub package: String,
    /// The name of the bench.
    pub bench: String,
    /// The seed of the run.
    pub seed: String,
    /// True if an inconclusive pair fails the run.
    pub strict: bool,
    /// The reason if nothing is judged.
    pub unjudged: Option<String>,
    /// The side that functions are compared with in place of their baselines.
    pub against: Option<OtherSide>,
    /// The machine before the run.
    pub machine: Machine,
    /// The pairs in the order of the plan.
    pub pairs: Vec<PlannedRecord>,
    /// The number of pairs that the filters left out.
    pub filtered_out: usize,
}

/// A pair that a run is going to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedRecord {
    /// The name of the pair.
    pub name: String,
    /// The baseline, if several pairs of the run share it.
    pub group: Option<String>,
    /// False if there is nothing to compare it with.
    pub is_compared: bool,
}

impl StartRecord {
    /// The positions of the pairs in the plan, by name. Pairs are decided in another order.
    pub(crate) fn places(&self) -> HashMap<String, usize> {
        self.pairs.iter().map(|pair| pair.name.clone()).zip(0..).collect()
    }

    /// Returns whether it compares nothing: no function has a baseline.
    pub(crate) fn compares_nothing(&self) -> bool {
        !self.pairs.is_empty() && self.pairs.iter().all(|pair| !pair.is_compared)
    }
}

/// The line about a run in which nothing is judged, for this reason.
pub fn no_verdicts(reason: &str) -> String {
    format!("no verdicts: {reason}")
}

/// An event of a run, sent from the run to its reports.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The run is planned, and nothing is measured yet.
    RunStarted(&'a StartRecord),
    /// A round begins.
    RoundStarted {
        /// The number of the round, from 1.
        number: usize,
        /// The number of pairs that are undecided.
        open: usize,
        /// The number of all pairs.
        of: usize,
        /// The time until they are decided, if their rounds go on like those so far; `None` before that is
        /// known.
        left: Option<Duration>,
        /// The time since the run began.
        elapsed: Duration,
    },
    /// A pair is being measured in this round; sent if that takes long enough for a user to wonder.
    PairStarted {
        /// The name of the pair.
        name: &'a str,
        /// The time since the run began.
        elapsed: Duration,
    },
    /// A pair is decided, or cannot be.
    PairFinished {
        /// The record of the pair.
        record: &'a PairRecord,
        /// The recordings of the processes of each round; empty if nothing was measured.
        rounds: &'a [Vec<Recording>],
    },
    /// Nothing more will be measured.
    RunFinished(&'a RunRecord),
}

/// A pair that is decided, or cannot be.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedPair {
    /// The record of the pair.
    pub record: PairRecord,
    /// The recordings of the processes of each round; empty if nothing was measured.
    pub rounds: Vec<Vec<Recording>>,
}

impl From<PairRecord> for FinishedPair {
    /// A pair without slots.
    fn from(record: PairRecord) -> Self {
        Self { record, rounds: Vec::new() }
    }
}

/// A whole run.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Serialize)]
pub struct RunRecord {
    /// The word `run`, which tells its line from those of pairs.
    pub event: &'static str,
    /// The package of the bench.
    pub package: String,
    /// The name of the bench.
    pub bench: String,
    /// The number of pairs that passed.
    pub passed: usize,
    /// The number of pairs that failed.
    pub failed: usize,
    /// The number of pairs without a proof of either.
    pub inconclusive: usize,
    /// The number of pairs that could not be measured or judged.
    pub errors: usize,
    /// The number of pairs that were ignored.
    pub ignored: usize,
    /// The number of pairs that were measured and have no verdict.
    pub measured: usize,
    /// The number of functions that the other side lacks.
    pub not_compared: usize,
    /// The number of pairs that `--fail-fast` left undone.
    pub not_run: usize,
    /// The number of pairs that the filters left out.
    pub filtered_out: usize,
    /// The number of pairs that passed although they exceed their own limit, since the change allows that.
    pub allowed: usize,
    /// The number of inconclusive pairs that the budget of the run ended.
    pub over_budget: usize,
    /// The time of the whole run, in seconds.
    pub elapsed_s: f64,
    /// The side that functions were compared with in place of their baselines.
    pub against: Option<OtherSide>,
    /// The machine before the run.
    pub machine: Machine,
}

impl RunRecord {
    /// The count of the outcomes.
    pub fn of(start: &StartRecord, outcomes: &[Outcome], elapsed_s: f64) -> Self {
        let StartRecord { package, bench, against, machine, filtered_out, .. } = start.clone();
        let mut run = Self { package, bench, against, machine, filtered_out, elapsed_s, ..Self::default() };
        run.event = "run";
        run.not_run = start.pairs.len().saturating_sub(outcomes.len());
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
        if let Some(side) = &mut run.against {
            run.not_compared = side.not_compared.len();
            // Nothing is left to run that may yet be compared.
            let is_over = outcomes.len() == start.pairs.len() && outcomes.len() == run.ignored;
            let has_functions = run.ignored > 0 || !side.not_compared.is_empty();
            let why = side.uncompared.or(has_functions.then_some(Uncompared::NoFunction));
            side.uncompared = why.filter(|_| is_over);
        }
        run
    }

    /// The reason if nothing was compared with another side.
    pub fn uncompared(&self) -> Option<Uncompared> {
        self.against.as_ref()?.uncompared
    }
}

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

impl Machine {
    /// A line with the known facts that a reader compares; records have the rest.
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
            "machine: AMD EPYC 7B13, 2 cores, governor performance, load 0.31"
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
