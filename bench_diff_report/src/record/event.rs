//! The events of a run, for its reports.

use std::time::Duration;

use bench_diff_core::Recording;

use super::{PairRecord, RunRecord, StartRecord};

/// An event of a run, sent from the run to its reports.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The run is planned, and nothing is measured yet.
    RunStarted(&'a StartRecord),
    /// A round begins.
    RoundStarted {
        /// The number of the round, from 1.
        number: usize,
        /// The number of pairs that take part in it.
        open: usize,
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
