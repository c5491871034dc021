//! The facts known of a run before its first pair.

use std::collections::HashMap;

use crate::machine::Machine;
use crate::plan::{Hindrance, OtherSide, PairPlan, RunPlan};

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
    /// The start of a planned run on this machine.
    pub(crate) fn of(plan: &RunPlan, machine: &Machine) -> Self {
        let planned = |PairPlan { name, group, listed, .. }: &PairPlan| PlannedRecord {
            name: name.clone(),
            group: group.clone(),
            is_compared: plan.against.is_some() || listed.baseline.is_some(),
        };
        Self {
            package: plan.repetition.package.to_owned(),
            bench: plan.repetition.bench.clone(),
            seed: plan.seed.to_string(),
            strict: plan.config.strict,
            unjudged: plan.unjudged.map(str::to_owned),
            against: plan.against.clone().map(|side| {
                let same_code = plan.pairs.iter().filter(|pair| pair.is_proven()).count();
                OtherSide { same_code, hindrance: Hindrance::of_most(&plan.pairs), ..side }
            }),
            machine: machine.clone(),
            pairs: plan.pairs.iter().map(planned).collect(),
        }
    }

    /// The positions of the pairs in the plan, by name. Pairs are decided in another order.
    pub(crate) fn places(&self) -> HashMap<String, usize> {
        self.pairs.iter().map(|pair| pair.name.clone()).zip(0..).collect()
    }

    /// Returns whether it compares nothing: no function has a baseline.
    pub(crate) fn compares_nothing(&self) -> bool {
        !self.pairs.is_empty() && self.pairs.iter().all(|pair| !pair.is_compared)
    }
}
