//! The facts known of a run before its first pair.

use std::collections::HashMap;

use super::{Machine, OtherSide};

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
