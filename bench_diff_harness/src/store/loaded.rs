//! Runs as read back from their files.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::record::{PairRecord, PlanOrder, RoundRecord, RunRecord, StartRecord, StoredPair};
use crate::system::order::{sort_by, sort_by_key};

/// A run as read back from its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LoadedRun {
    pub(super) path: PathBuf,
    /// `None` if `--json` wrote the run.
    pub(super) start: Option<StartRecord>,
    pub(super) pairs: Vec<StoredPair>,
    /// The rounds of undecided pairs, by name.
    pub(super) open: HashMap<String, Vec<RoundRecord>>,
    /// `None` if the run did not end.
    pub(super) end: Option<RunRecord>,
}

/// The runs of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Contents {
    pub(super) runs: Vec<LoadedRun>,
    /// Why they may be incomplete or changed, so that what was read is only a hint.
    pub(super) problems: Vec<String>,
}

impl LoadedRun {
    /// Sorts the pairs by the plan; they were stored as they were decided.
    pub(super) fn sort(&mut self) {
        let Some(start) = &self.start else { return };
        let order = PlanOrder::of(start);
        sort_by_key(&mut self.pairs, |pair| order.of_pair(&pair.record.name));
    }

    /// The time that it took, as far as that is known.
    pub(super) fn elapsed_s(&self) -> f64 {
        let of_pairs = || self.pairs.iter().map(|pair| pair.record.elapsed_s()).sum();
        self.end.as_ref().map_or_else(of_pairs, |end| end.elapsed_s)
    }
}

/// A pair of one of several runs.
pub(super) struct FoundPair<'a> {
    pub(super) run: &'a LoadedRun,
    pub(super) pair: &'a StoredPair,
    /// Which bench it is of: its package and its bench.
    pub(super) bench: String,
    /// Which pair it is: its bench and its name.
    pub(super) name: String,
}

/// The starts of these runs, as far as they are there.
pub(super) fn starts_of(runs: &[LoadedRun]) -> Vec<&StartRecord> {
    runs.iter().filter_map(|run| run.start.as_ref()).collect()
}

/// The pairs of all these runs.
pub(super) fn pairs_of(runs: &[LoadedRun]) -> Vec<FoundPair<'_>> {
    let pairs = runs.iter().flat_map(|run| run.pairs.iter().map(move |pair| (run, pair)));
    let found = pairs.map(|(run, pair)| {
        let PairRecord { package, bench, name, .. } = &pair.record;
        let bench = full_name(package, bench);
        FoundPair { run, pair, name: full_name(&bench, name), bench }
    });
    found.collect()
}

/// The benches that compared nothing with another side in any of these runs, by their names.
pub(super) fn uncompared(runs: &[LoadedRun]) -> Vec<(String, &RunRecord)> {
    let mut benches: Vec<(String, &RunRecord)> = Vec::new();
    let mut ends: Vec<&RunRecord> = runs.iter().filter_map(|run| run.end.as_ref()).collect();
    // If one of its runs compared something, the bench did.
    sort_by_key(&mut ends, |end| end.uncompared().is_some());
    for end in ends {
        let bench = full_name(&end.package, &end.bench);
        if benches.iter().all(|(known, _)| *known != bench) {
            benches.push((bench, end));
        }
    }
    benches.retain(|(_, end)| end.uncompared().is_some());
    benches
}

/// A bench within its package, or a pair within its bench. The names of packages and benches have no colons.
pub(super) fn full_name(within: &str, name: &str) -> String {
    format!("{within}::{name}")
}

/// The pairs with a gate that a bench has.
pub(super) struct Gated {
    pub(super) bench: String,
    pub(super) count: usize,
    /// The number of these that every process left out because they are ignored.
    pub(super) ignored: usize,
    /// The number of these whose machine code is unchanged in all binaries.
    pub(super) proven: usize,
}

/// The pairs with a gate of each bench in its package, which several processes may have run, by its name.
pub(super) fn gated(starts: &[&StartRecord]) -> Vec<Gated> {
    let mut benches: Vec<Gated> = Vec::new();
    for start in starts {
        let bench = full_name(&start.package, &start.bench);
        let (count, ignored) = (start.gated, start.gated_ignored);
        let proven = start.gated_proven.unwrap_or_default();
        match benches.iter_mut().find(|known| known.bench == bench) {
            None => benches.push(Gated { bench, count, ignored, proven }),
            Some(known) => {
                known.count = known.count.max(count);
                known.ignored = known.ignored.min(ignored);
                known.proven = known.proven.min(proven);
            }
        }
    }
    sort_by(&mut benches, |a, b| a.bench.cmp(&b.bench));
    benches
}
