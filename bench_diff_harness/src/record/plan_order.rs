//! The order of the plan, whichever pair is decided first.

use std::collections::HashMap;

use super::StartRecord;

/// The places of the pairs of a run, by their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlanOrder(HashMap<String, usize>);

impl PlanOrder {
    pub(crate) fn of(start: &StartRecord) -> Self {
        Self(start.pairs.iter().enumerate().map(|(place, pair)| (pair.name.clone(), place)).collect())
    }

    /// The place of a pair; behind all others where the run did not plan it.
    pub(crate) fn of_pair(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or(usize::MAX)
    }
}
