//! The facts known of a run before its first pair.

use std::collections::HashMap;

use super::{Machine, OtherSide};

/// The start of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StartRecord {
    pub(crate) package: String,
    pub(crate) bench: String,
    pub(crate) seed: String,
    pub(crate) strict: bool,
    /// The reason if nothing is judged.
    pub(crate) unjudged: Option<String>,
    /// The side that functions are compared with in place of their baselines.
    pub(crate) against: Option<OtherSide>,
    pub(crate) machine: Machine,
    pub(crate) pairs: Vec<PlannedRecord>,
}

/// A pair that a run is going to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedRecord {
    pub(crate) name: String,
    /// The baseline, if several pairs of the run share it.
    pub(crate) group: Option<String>,
    /// False if there is nothing to compare it with.
    pub(crate) is_compared: bool,
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
pub(crate) fn no_verdicts(reason: &str) -> String {
    format!("no verdicts: {reason}")
}
