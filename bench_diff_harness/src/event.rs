//! What happens in a run, for whoever tells it.

use bench_diff_core::{Plan, Progress, Recording};

use crate::plan::RunPlan;
use crate::record::{PairRecord, RunRecord, StartRecord};

/// Between running and telling.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'a> {
    RunStarted(&'a StartRecord),
    /// The pair of this index among those of the run, from 0.
    PairStarted(usize),
    /// Of the pair that was started last, between two blocks of slots, never during one.
    Progress {
        run: &'a RunPlan,
        progress: Progress,
    },
    PairFinished {
        record: &'a PairRecord,
        /// What it was made of, where something was measured.
        measured: Option<&'a Measured>,
    },
    RunFinished(&'a RunRecord),
}

/// What the record of a pair was made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) plan: Plan,
    /// What the process of each round measured, at least one.
    pub(crate) rounds: Vec<Recording>,
    /// What is done around slots, and what is odd about the functions.
    pub(crate) remarks: Vec<String>,
}
