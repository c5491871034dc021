//! The facts known of a run before its first pair.

use std::borrow::Cow;
use std::collections::HashMap;

use super::kind::Kind;
use super::{PairRecord, SCHEMA};
use crate::machine::Machine;
use crate::plan::{Hindrance, OtherSide, PairPlan, RunPlan, sharing};

/// The start of a run: the first line of what is stored of it.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct StartRecord {
    pub(crate) schema: u32,
    pub(crate) event: Kind,
    /// Empty if the records come from several packages.
    pub(crate) package: String,
    /// Empty if the records come from several benches.
    pub(crate) bench: String,
    /// The name of the file that the run is stored in, since a run never replaces a copy with another name.
    /// `None` if it is not stored.
    pub(crate) stored_as: Option<String>,
    /// A name for the content of the binary. `None` if the records come from several binaries.
    pub(crate) program: Option<String>,
    /// `None` if the records come from several runs.
    pub(crate) seed: Option<String>,
    pub(crate) strict: bool,
    /// The reason if nothing is judged.
    pub(crate) unjudged: Option<String>,
    /// The pairs of the binary that have a gate.
    pub(crate) gated: usize,
    /// The number of these that the run leaves out because they are ignored.
    pub(crate) gated_ignored: usize,
    /// The number of these whose machine code is unchanged; the others share alpha. `None` in records of
    /// earlier versions.
    pub(crate) gated_proven: Option<usize>,
    /// The side that functions are compared with in place of their baselines. `None` in records of earlier
    /// versions.
    pub(crate) against: Option<OtherSide>,
    pub(crate) machine: Machine,
    pub(crate) pairs: Vec<PlannedRecord>,
}

/// A pair that a run is going to measure.
#[derive(Clone, Debug, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct PlannedRecord {
    pub(crate) name: String,
    /// The baseline, if several pairs of the run share it.
    pub(crate) group: Option<String>,
    /// False if there is nothing to compare it with. `None` in records of earlier versions.
    pub(crate) is_compared: Option<bool>,
}

impl StartRecord {
    /// The start of a planned run on this machine.
    pub(crate) fn of(plan: &RunPlan, machine: &Machine) -> Self {
        let planned = |PairPlan { name, group, listed, .. }: &PairPlan| PlannedRecord {
            name: name.clone(),
            group: group.clone(),
            is_compared: Some(plan.against.is_some() || listed.baseline.is_some()),
        };
        Self {
            schema: SCHEMA,
            event: Kind::Start,
            package: plan.repetition.package.to_owned(),
            bench: plan.repetition.bench.clone(),
            stored_as: None,
            program: plan.program.clone(),
            seed: Some(plan.seed.to_string()),
            strict: plan.strict,
            unjudged: plan.unjudged.map(str::to_owned),
            gated: plan.gated,
            gated_ignored: plan.gated_ignored,
            gated_proven: Some(plan.gated_proven),
            against: plan.against.clone().map(|side| {
                let same_code = plan.pairs.iter().filter(|pair| pair.is_proven()).count();
                OtherSide { same_code, hindrance: Hindrance::of_most(&plan.pairs), ..side }
            }),
            machine: machine.clone(),
            pairs: plan.pairs.iter().map(planned).collect(),
        }
    }

    /// Returns whether it compares nothing: no function has a baseline.
    pub(crate) fn compares_nothing(&self) -> bool {
        !self.pairs.is_empty() && self.pairs.iter().all(|pair| pair.is_compared == Some(false))
    }

    /// The number of pairs that share alpha.
    pub(crate) fn sharing(&self) -> usize {
        sharing(self.gated, self.gated_proven.unwrap_or_default())
    }

    /// The record as reports show it: if the run has records of several benches, its name includes the bench.
    pub(crate) fn shown<'a>(&self, record: &'a PairRecord) -> Cow<'a, PairRecord> {
        if !self.bench.is_empty() {
            return Cow::Borrowed(record);
        }
        let PairRecord { package, bench, .. } = record;
        let within = if self.package.is_empty() { format!("{package}::{bench}") } else { bench.clone() };
        let named = |name: &String| format!("{within}::{name}");
        let (name, group) = (named(&record.name), record.group.as_ref().map(named));
        let against = match &self.against {
            // A revision belongs to no bench.
            Some(_) => record.against.clone(),
            None => record.against.as_ref().map(named),
        };
        Cow::Owned(PairRecord { name, group, against, ..record.clone() })
    }
}

/// The positions of the pairs in the plan, by name. Pairs are decided in another order. A replay of several
/// runs may have a name more than once.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlanOrder(HashMap<String, Vec<usize>>);

impl PlanOrder {
    pub(crate) fn of(start: &StartRecord) -> Self {
        let mut order = Self::default();
        for (place, pair) in start.pairs.iter().enumerate() {
            order.0.entry(pair.name.clone()).or_default().push(place);
        }
        order
    }

    /// The position of a pair; after all others if the run did not plan it.
    pub(crate) fn of_pair(&self, name: &str) -> usize {
        self.all_of(name).first().copied().unwrap_or(usize::MAX)
    }

    /// The positions of all pairs of this name.
    pub(crate) fn all_of(&self, name: &str) -> &[usize] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}
