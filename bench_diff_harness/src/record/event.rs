//! The events of a run, for its reports.

use bench_diff_core::{Plan, Recording};

use crate::record::{PairRecord, RoundRecord, RunRecord, StartRecord};
use crate::settings::Layouts;

/// An event of a run, sent from the run to its reports.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'a> {
    RunStarted(&'a StartRecord),
    RoundStarted {
        /// The number of the round, from 1.
        number: usize,
        /// The number of pairs that take part in it.
        open: usize,
    },
    /// A pair is being measured in this round; sent if that takes long enough for a user to wonder.
    PairStarted {
        name: &'a str,
    },
    /// A pair was measured in this round.
    RoundMeasured(&'a RoundRecord),
    PairFinished {
        record: &'a PairRecord,
        /// The source of the record, if anything was measured.
        measured: Option<&'a Measured>,
    },
    RunFinished(&'a RunRecord),
}

/// The source of the record of a pair.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) plan: Plan,
    /// The layouts that the verdict is about.
    pub(crate) layouts: Layouts,
    /// The recordings of the processes of each round, at least one of at least one.
    pub(crate) rounds: Vec<Vec<Recording>>,
    /// For rounds in random layouts: the recording of the binary as linked, which is no part of the verdict.
    pub(crate) linked: Option<Recording>,
    /// The untimed work around slots, such as making inputs.
    pub(crate) call_notes: Vec<String>,
    /// True if allocations are not checked, since the old revision cannot count them.
    pub(crate) lacks_counts_there: bool,
}

/// A pair that is decided, or cannot be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FinishedPair {
    pub(crate) record: PairRecord,
    pub(crate) measured: Option<Measured>,
}

impl From<PairRecord> for FinishedPair {
    /// A pair without known slots.
    fn from(record: PairRecord) -> Self {
        Self { record, measured: None }
    }
}
