//! The pairs of a binary as the run knows them: data, and nothing that it could call.

use bench_diff_core::Gate;
use bench_diff_report::record::AllowedRecord;

use super::key::PairKey;
use crate::register::{Location, PairEntry, baseline_of, name_of};
use crate::settings::{PairSettings, defaults};

/// A pair, as a process of the binary lists it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ListedPair {
    pub(crate) name: String,
    /// The name without the number by which it differs from others.
    pub(crate) label: String,
    pub(crate) key: PairKey,
    /// The key of the pair that it is compared with, if that is in another binary.
    pub(crate) old: Option<PairKey>,
    /// The name of the baseline, which pairs with one baseline share. `None` if the function has none; a run
    /// then shows its latency.
    pub(crate) baseline: Option<String>,
    pub(crate) location: Location,
    /// The number of threads that call the functions.
    pub(crate) threads: usize,
    pub(crate) gate: Gate,
    /// The slowdown that the change allows.
    pub(crate) allowed: Option<AllowedRecord>,
    pub(crate) settings: PairSettings,
    /// The reason, perhaps empty, if it is ignored.
    pub(crate) ignore: Option<&'static str>,
    /// The reason if nothing can measure it.
    pub(crate) unmeasurable: Option<String>,
    /// True if it stands for pairs whose names are not known.
    pub(crate) is_unlisted: bool,
}

/// Every pair of the binary, in the order of the source.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) pairs: Vec<ListedPair>,
    /// The functions that registered no benchmark, each with its place in the source.
    pub(crate) without_pairs: Vec<String>,
}

impl ListedPair {
    /// A pair of this attribute. Its gate is that of its arg, else of the attribute, else of the manifest.
    pub(crate) fn new(
        entry: &PairEntry,
        name: String,
        gate: Option<Gate>,
        of_manifest: &PairSettings,
    ) -> Self {
        let gate = gate.or(entry.settings.gate()).or(of_manifest.gate());
        let instance = name.strip_prefix(&name_of(entry)).unwrap_or_default();
        Self {
            baseline: baseline_of(entry).map(|baseline| baseline + instance),
            label: name.clone(),
            name,
            key: PairKey::default(),
            old: None,
            location: entry.location,
            threads: 1,
            gate: gate.unwrap_or(defaults::GATE),
            allowed: None,
            settings: entry.settings.with_fallback(of_manifest),
            ignore: entry.ignore,
            unmeasurable: None,
            is_unlisted: false,
        }
    }

    /// A pair of this name for the attribute, which could not be listed for this reason.
    pub(crate) fn unknown(entry: &PairEntry, name: String, reason: String) -> Self {
        let named = Self::new(entry, name, None, &PairSettings::NONE);
        Self { label: name_of(entry), unmeasurable: Some(reason), is_unlisted: true, ..named }
    }

    /// Its key in the binary that it is compared with.
    pub(crate) fn in_old(&self) -> PairKey {
        self.old.unwrap_or(self.key)
    }

    /// Returns whether it is compared: with its baseline, or with itself on the old side.
    pub(crate) fn is_compared(&self) -> bool {
        self.baseline.is_some() || self.old.is_some()
    }

    /// Returns whether it is compared and has a limit.
    pub(crate) fn is_gated(&self) -> bool {
        self.is_compared() && self.gate != Gate::ReportOnly
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, entry_alone, equal, listing, planned, three};

    #[test]
    fn a_baseline_has_the_instance_and_the_arg_of_its_pair() {
        let family = |function, line| PairEntry {
            location: Location { module: "s::m", ..entry(function, line, three).location },
            ..entry(function, line, three).baseline("super::r#ref")
        };
        let listing = listing(&[family("a", 1), family("b", 2).name("b"), entry("c", 3, equal)]);
        let baselines: Vec<_> = listing.pairs.iter().map(|pair| pair.baseline.as_deref()).collect();
        let each = ["<u8,4>/1", "<u8,4>/2", "<u8,4>/1#2"].map(|of| format!("ref{of}"));
        assert_eq!(baselines[..3], each.each_ref().map(|name| Some(name.as_str())));
        assert_eq!(baselines[3..6], baselines[..3], "the second value of a label as well");
        assert_eq!(baselines[6], Some("c"));
    }

    #[test]
    fn alpha_is_shared_by_all_that_have_a_gate() {
        let entries = [
            entry("a", 1, three),
            entry("b", 2, equal).min_speedup(2.0).ignore(""),
            entry("c", 3, equal).report_only(true),
            entry_alone("d", 4).max_slowdown(0.05),
        ];
        assert_eq!(planned("", &entries).gated, 4);
    }
}
