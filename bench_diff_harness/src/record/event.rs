//! What happens in a run, for whoever tells it.

use bench_diff_core::{Plan, Recording};

use crate::record::{PairRecord, RoundRecord, RunRecord, SelfTestRecord, StartRecord};
use crate::settings::Layouts;

/// Between running and telling.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'a> {
    RunStarted(&'a StartRecord),
    RoundStarted {
        /// From 1.
        number: usize,
        /// The pairs that take part in it.
        open: usize,
    },
    /// A pair is measured in this round, told while that lasts long enough for somebody to wonder.
    PairStarted {
        name: &'a str,
    },
    /// A pair was measured in this round.
    RoundMeasured(&'a RoundRecord),
    PairFinished {
        record: &'a PairRecord,
        /// What it was made of, where something was measured.
        measured: Option<&'a Measured>,
    },
    /// Both halves of the self-test of a gate have been told.
    GateTested {
        test: &'a SelfTestRecord,
        halves: &'a [PairRecord; 2],
    },
    RunFinished(&'a RunRecord),
}

/// What the record of a pair was made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) plan: Plan,
    /// What the verdict is about.
    pub(crate) layouts: Layouts,
    /// What the processes of each round measured, at least one of at least one.
    pub(crate) rounds: Vec<Vec<Recording>>,
    /// Of rounds in random layouts, what the program as linked measured, which is not judged.
    pub(crate) linked: Option<Recording>,
    /// What is done around slots.
    pub(crate) call_notes: Vec<String>,
}

/// A pair that is decided, or never will be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FinishedPair {
    pub(crate) record: PairRecord,
    pub(crate) measured: Option<Measured>,
}

impl From<PairRecord> for FinishedPair {
    /// One of which no slots are known.
    fn from(record: PairRecord) -> Self {
        Self { record, measured: None }
    }
}
