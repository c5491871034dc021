//! A pair as a process lists it.

use crate::plan::{ListedPair, OtherPair};
use crate::record::GateKind;
use crate::register::{Case, PairEntry};
use crate::settings::ManifestSettings;

/// The facts about a pair that its attribute alone does not tell.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(in crate::run) struct ListedRecord {
    name: String,
    /// The name without the number by which it differs from others.
    label: String,
    /// True if others may have its name.
    may_share_name: bool,
    /// The digest of its arg, if that was to be shown and can be.
    arg: Option<u64>,
    /// Of the work that it does: another revision of the program tells by it whether that is the same.
    digest: u64,
    threads: usize,
    /// The gate of its arg, where it depends on that.
    gate: Option<GateKind>,
    margin: Option<f64>,
    /// The reason if nothing can measure it.
    reason: Option<String>,
}

impl ListedRecord {
    pub(in crate::run) fn new(entry: &PairEntry, case: &Case) -> Self {
        Self {
            name: case.name.clone(),
            label: case.label.clone(),
            may_share_name: case.body.is_some() || entry.may_share_names,
            arg: case.arg_digest,
            digest: entry.digest,
            threads: case.threads,
            gate: case.gate.and_then(GateKind::of),
            margin: case.gate.and_then(bench_diff_core::Gate::margin),
            reason: case.can_run.clone().err(),
        }
    }

    /// The pair that it stands for of this attribute, which stands in this place.
    pub(in crate::run) fn of(
        self,
        attribute: usize,
        entry: &PairEntry,
        manifest: &ManifestSettings,
    ) -> ListedPair {
        let gate = self.gate.zip(self.margin).map(|(kind, margin)| kind.with(margin));
        ListedPair {
            attribute,
            label: self.label,
            may_share_name: self.may_share_name,
            arg: self.arg,
            digest: self.digest,
            threads: self.threads,
            can_run: self.reason.map_or(Ok(()), Err),
            ..ListedPair::new(entry, self.name, gate, manifest)
        }
    }

    /// The same of a program that may be another one.
    pub(in crate::run) fn of_other(self, attribute: usize) -> OtherPair {
        let Self { name, label, arg, digest, reason, .. } = self;
        OtherPair { name, label, arg, attribute, digest, can_run: reason.map_or(Ok(()), Err) }
    }
}
