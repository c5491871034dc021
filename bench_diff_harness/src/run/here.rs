//! Pairs that are measured in this process, one after the other, as tests do with functions that move a clock
//! by hand.

use std::ops::ControlFlow;

use bench_diff_core::Instruments;

use super::one_pair::run_pair;
use super::protocol::ListedRecord;
use super::{Asked, Message, Processes, Receive};
use crate::fixture::count;
use crate::plan::{ListedPair, PairPlan};
use crate::register::{PairEntry, RegisteredPair};

/// The pairs of an attribute, as they are listed.
pub(crate) fn listed(entry: &PairEntry, pairs: &[RegisteredPair]) -> Vec<ListedPair> {
    pairs.iter().map(|pair| ListedRecord::new(entry, pair).of(0, entry)).collect()
}

pub(crate) struct Here<'c> {
    pub(crate) pairs: Vec<RegisteredPair>,
    pub(crate) instruments: Instruments<'c>,
}

impl Processes for Here<'_> {
    fn round(&mut self, asked: &[Asked<'_>], receive: Receive<'_>) -> ControlFlow<()> {
        asked.iter().try_for_each(|asked| {
            let registered = self.pairs.iter().find(|pair| pair.name == asked.pair.listed.name).unwrap();
            let run = registered.run.as_ref().unwrap();
            let found = run_pair(run, registered.arg.as_deref(), asked.task, None, &self.instruments, count);
            receive(Message::found(asked.index, found))
        })
    }

    fn alone(&self, _: &PairPlan) -> Result<Box<dyn Processes + '_>, String> {
        Err("there is no linker".to_owned())
    }
}
