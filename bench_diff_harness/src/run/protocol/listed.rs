//! A pair in the form in which a process lists it.

use crate::plan::{ListedPair, OtherPair};
use crate::register::{Case, PairEntry};
use crate::run::word::Word;
use crate::settings::ManifestSettings;
use bench_diff_report::record::GateKind;

/// The facts about a pair that do not follow from its attribute alone.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(in crate::run) struct ListedRecord {
    name: String,
    /// The name without the number that distinguishes it from equal names.
    label: String,
    /// True if other pairs may have its name.
    may_share_name: bool,
    threads: usize,
    /// The gate for its arg, if the gate depends on the arg.
    gate: Option<GateKind>,
    margin: Option<Word<f64>>,
    /// The reason why the pair cannot be measured, if it cannot.
    unmeasurable: Option<String>,
}

impl ListedRecord {
    pub(in crate::run) fn new(entry: &PairEntry, case: &Case) -> Self {
        Self {
            name: case.name.clone(),
            label: case.label.clone(),
            may_share_name: case.body.is_some() || entry.may_share_names,
            threads: case.threads,
            gate: case.gate.and_then(GateKind::of),
            margin: case.gate.and_then(bench_diff_core::Gate::margin).map(Word),
            unmeasurable: case.unmeasurable.clone(),
        }
    }

    /// The listed pair, given its attribute and the attribute's position.
    pub(in crate::run) fn of(
        self,
        attribute: usize,
        entry: &PairEntry,
        manifest: &ManifestSettings,
    ) -> ListedPair {
        let gate = self.gate.zip(self.margin).map(|(kind, Word(margin))| kind.with(margin));
        ListedPair {
            attribute,
            label: self.label,
            may_share_name: self.may_share_name,
            threads: self.threads,
            unmeasurable: self.unmeasurable,
            ..ListedPair::new(entry, self.name, gate, manifest)
        }
    }

    /// The same for a binary that may be the old side's.
    pub(in crate::run) fn of_other(self, attribute: usize) -> OtherPair {
        let Self { name, label, unmeasurable, .. } = self;
        OtherPair { name, label, attribute, unmeasurable }
    }
}
