//! Measures pairs in this process, one after the other. Tests use it with functions that move a clock by
//! hand.

use std::ops::ControlFlow;
use std::time::Duration;

use bench_diff_core::Instruments;
use bench_diff_report::record::End;

use super::fault::Fault;
use super::inbox::FindingResult;
use super::one_pair::{Finding, run_pair};
use super::protocol::ListedRecord;
use super::{Message, Processes, Receive, RoundPair};
use crate::call::allocations::Count;
use crate::plan::ListedPair;
use crate::register::{PairEntry, cases_of, visit};
use crate::settings::ManifestSettings;

/// The listed pairs of an attribute.
pub(crate) fn listed(entry: &PairEntry) -> Vec<ListedPair> {
    let cases = cases_of(entry);
    let records = cases.iter().map(|case| ListedRecord::new(entry, case)).collect();
    ListedRecord::with_keys(0, records)
        .map(|(key, record)| {
            let name = record.name.clone();
            record.of(key, entry, name, &ManifestSettings::default())
        })
        .collect()
}

pub(crate) struct Here<'c> {
    pub(crate) entries: &'c [PairEntry],
    pub(crate) instruments: Instruments<'c>,
    /// Counts the allocations of a call.
    pub(crate) count: Count,
}

impl Message {
    /// A finding, or the reason why there is none.
    pub(super) fn found(index: usize, found: FindingResult) -> Self {
        Self::Found { index, found: Box::new(found.map_err(End::from)) }
    }
}

impl Processes for Here<'_> {
    fn round(
        &mut self,
        pairs: &[RoundPair<'_>],
        _: Option<Duration>,
        receive: Receive<'_>,
    ) -> ControlFlow<()> {
        pairs.iter().try_for_each(|pair| {
            receive(Message::found(pair.index, self.found(pair).map_err(Fault::Reported)))
        })
    }
}

impl Here<'_> {
    fn found(&self, round_pair: &RoundPair<'_>) -> Result<Finding, String> {
        let mut found = None;
        for entry in self.entries {
            visit(entry, &mut |case, run| {
                if case.name == round_pair.pair.listed.name {
                    let arg = case.arg.as_deref();
                    found = Some(run_pair(run, arg, round_pair.task, None, &self.instruments, self.count));
                }
                ControlFlow::Continue(())
            })?;
        }
        found.unwrap()
    }
}
