//! The allocations of several runs of one pair.

use super::source::Source;
use crate::record::{AllocationsRecord, PairRecord};

/// The record of all runs with the counts of the first run that breaks the gate, since a count needs no
/// second one, or else of the first that has any. Where runs count otherwise, it says so.
pub(super) fn joined(record: PairRecord, sources: &[Source<'_>]) -> PairRecord {
    let of = |source: &Source<'_>| source.record.figures()?.allocations;
    let counted: Vec<(&Source<'_>, AllocationsRecord)> =
        sources.iter().filter_map(|source| Some((source, of(source)?))).collect();
    let broken = counted.iter().find(|(_, allocations)| allocations.complaint().is_some());
    let allocations = broken.or(counted.first()).map(|(_, allocations)| *allocations);
    let mut record = record.with_allocations(allocations);
    if let Some(((first, one), (other, another))) =
        counted.first().zip(counted.iter().find(|(_, allocations)| !allocations.agrees(&counted[0].1)))
    {
        record.notes.push(format!(
            "its allocations differ from run to run: {} in {}, and {} in {}",
            one.text(),
            first.path.display(),
            another.text(),
            other.path.display()
        ));
    }
    record
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::call::allocations::FunctionAllocations;
    use crate::record::{Figures, Outcome};

    /// Merges runs of which each counted these allocations of the candidate and of the baseline.
    fn merged(runs: &[Option<(u64, u64)>]) -> PairRecord {
        let of = |calls| FunctionAllocations { calls, bytes: 8, most_calls: calls, most_bytes: 8, peak: 8 };
        let record = |counts: &Option<(u64, u64)>| Figures {
            outcome: Outcome::Pass,
            allocations: counts.map(|(candidate, baseline)| AllocationsRecord {
                max: Some(0.0),
                counted: 2,
                candidate: of(candidate),
                baseline: of(baseline),
            }),
            ..Figures::default()
        };
        let records: Vec<PairRecord> = runs.iter().map(record).map(PairRecord::from).collect();
        let paths = ["one.jsonl", "two.jsonl", "three.jsonl"].map(Path::new);
        let sources: Vec<_> =
            records.iter().zip(paths).map(|(record, path)| Source { record, path }).collect();
        joined(records[0].clone(), &sources)
    }

    #[test]
    fn runs_that_count_the_same_say_it_once() {
        let record = merged(&[Some((2, 2)), Some((2, 2))]);
        assert_eq!((record.outcome(), record.notes.len()), (Outcome::Pass, 0));
        assert_eq!(record.of().allocations.unwrap().candidate.calls, 2);
    }

    #[test]
    fn one_run_that_breaks_the_gate_is_enough() {
        let record = merged(&[Some((2, 2)), Some((3, 2)), Some((4, 2))]);
        assert_eq!((record.outcome(), record.of().allocations.unwrap().candidate.calls), (Outcome::Fail, 3));
        let expected = "its allocations differ from run to run: 2 allocations of 8 B, and 2 allocations of 8 B of the \
             baseline in one.jsonl, and 3 allocations of 8 B, and 2 allocations of 8 B of the baseline in two.jsonl";
        assert_eq!(record.notes, [expected]);
    }

    #[test]
    fn a_run_without_counts_says_nothing_about_them() {
        let record = merged(&[None, Some((2, 2))]);
        assert_eq!((record.outcome(), record.notes.len()), (Outcome::Pass, 0));
        assert!(record.of().allocations.is_some());
        assert_eq!(merged(&[None, None]).of().allocations, None);
    }
}
