//! Joins the records of several processes or machines to those of one run.

use std::collections::HashMap;
use std::path::Path;

use super::combine::{Source, combined};
use super::loaded::{FoundPair, Gated, LoadedRun, gated, pairs_of, starts_of};
use crate::plan::OtherSide;
use crate::record::{FinishedPair, Outcome, PairRecord};
use crate::system::order::{in_order, sort_by_key};

/// One record of every pair, in the order of the source. Paths of files are relative to this folder.
pub(super) fn merged(runs: &[LoadedRun], folder: &Path) -> Vec<FinishedPair> {
    let found = pairs_of(runs);
    // The index of the first pair of each bench, and of each name.
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (index, pair) in found.iter().enumerate() {
        first.entry(&pair.bench).or_insert(index);
        first.entry(&pair.name).or_insert(index);
    }
    let mut sorted: Vec<&FoundPair<'_>> = found.iter().collect();
    sort_by_key(&mut sorted, |pair| {
        let index = first[pair.name.as_str()];
        let PairRecord { file, line, .. } = &found[index].pair.record;
        (first[pair.bench.as_str()], file, line, index)
    });
    sorted.chunk_by(|a, b| a.name == b.name).map(|group| one(group, folder)).collect()
}

/// The single record of a pair, with its slots if they are stored.
fn one(group: &[&FoundPair<'_>], folder: &Path) -> FinishedPair {
    // A run that ignored the pair says nothing about it.
    let is_measured = |found: &&&FoundPair<'_>| found.pair.record.outcome() != Outcome::Ignored;
    let measured: Vec<&FoundPair<'_>> = group.iter().filter(is_measured).copied().collect();
    let (found, record) = if measured.len() < 2 {
        let found = *measured.first().unwrap_or(&group[0]);
        (found, found.pair.record.clone())
    } else {
        let sources: Vec<Source<'_>> = measured.iter().map(|found| source(found, folder)).collect();
        match combined(&sources) {
            Ok((longest, record)) => (measured[longest], record),
            Err(reason) => {
                let paths: Vec<String> =
                    sources.iter().map(|source| source.path.display().to_string()).collect();
                let reason = format!(
                    "recorded {} times, which cannot be combined: {reason}\nrecorded in {}",
                    paths.len(),
                    paths.join(" and in ")
                );
                return FinishedPair::from(measured[0].pair.record.clone().failed(reason));
            }
        }
    };
    // Defects of stored slots were reported when they were read.
    FinishedPair { record, measured: found.pair.measured().unwrap_or_default() }
}

fn source<'a>(found: &FoundPair<'a>, folder: &Path) -> Source<'a> {
    let path = &found.run.path;
    let below = path.strip_prefix(folder).ok().filter(|below| !below.as_os_str().is_empty());
    let side = found.run.start.as_ref().and_then(|start| start.against.as_ref()).map(OtherSide::identity);
    Source { record: &found.pair.record, side, path: below.unwrap_or(path) }
}

/// The benches of which fewer pairs with a gate were run than they have: some ran elsewhere, or were filtered
/// out. Pairs that every process ignored are not missing, with or without a record.
pub(super) fn incomplete(runs: &[LoadedRun]) -> Vec<String> {
    let found = pairs_of(runs);
    let was_run = |found: &&FoundPair<'_>| {
        let record = &found.pair.record;
        record.gate.is_some() && (record.outcome() != Outcome::Ignored || record.fails_in_old())
    };
    let run = found.iter().filter(was_run);
    let here = in_order(run.map(|found| (&*found.bench, &*found.name)));
    let mut missing = Vec::new();
    for Gated { bench, count, ignored, .. } in gated(&starts_of(runs)) {
        let here = here.iter().filter(|(of, _)| *of == bench).count();
        let count = count.saturating_sub(ignored);
        if here < count {
            missing.push(format!(
                "these records have {here} of the {count} functions of {bench} that have a limit"
            ));
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::machine::Machine;
    use crate::record::{End, PairRecord, RoundsRecord, RunRecord, StartRecord, StoredPair};
    use crate::register::PairEntry;

    /// A run of these entries that did not end, with these outcomes of the first of them.
    fn run(path: &str, seed: u64, entries: &[PairEntry], outcomes: &[Outcome]) -> LoadedRun {
        let plan = planned(&format!("--seed {seed} --judge sequential"), entries);
        let pairs = plan.pairs.iter().zip(outcomes).map(|(pair, outcome)| {
            let rounds = RoundsRecord { n: 1, spread: 0.0, t: None, df: 0, p: None, contrasts: vec![0.0] };
            let program = Some("0123456789abcdef".to_owned());
            let record = PairRecord { program, ..PairRecord::ended(&plan, pair, *outcome, None) };
            let record = record.with(|figures| {
                (figures.ln_e_fail, figures.ln_e_pass) = (Some(2.5), Some(-1.0));
                figures.rounds = Some(rounds);
            });
            StoredPair::new(record, None)
        });
        LoadedRun {
            path: path.into(),
            start: Some(StartRecord::of(&plan, &Machine::default())),
            pairs: pairs.collect(),
            ..LoadedRun::default()
        }
    }

    fn ended(run: LoadedRun) -> LoadedRun {
        LoadedRun { end: Some(RunRecord::default()), ..run }
    }

    fn outcomes(runs: &[LoadedRun]) -> Vec<(String, Outcome)> {
        let records = merged(runs, Path::new("runs")).into_iter().map(|told| told.record);
        records.map(|record| (record.name.clone(), record.outcome())).collect()
    }

    fn named(pairs: &[(&str, Outcome)]) -> Vec<(String, Outcome)> {
        pairs.iter().map(|(name, outcome)| ((*name).to_owned(), *outcome)).collect()
    }

    #[test]
    fn records_of_shards_come_in_the_order_of_the_source() {
        use Outcome::{Fail, Pass};
        let (a, b, c) = (entry("a", 1, equal), entry("b", 2, equal), entry("c", 3, equal));
        let shards = [run("1", 1, &[b, c], &[Pass, Fail]), run("2", 2, &[a], &[Pass])];
        assert_eq!(outcomes(&shards), named(&[("a", Pass), ("b", Pass), ("c", Fail)]));
    }

    #[test]
    fn pairs_of_other_benches_are_other_pairs() {
        let entries = [entry("a", 1, equal)];
        let mut other = run("2", 1, &entries, &[Outcome::Fail]);
        other.pairs[0].record.bench = "searching".to_owned();
        let runs = [run("1", 1, &entries, &[Outcome::Pass]), other];
        assert_eq!(outcomes(&runs), named(&[("a", Outcome::Pass), ("a", Outcome::Fail)]));
    }

    #[test]
    fn independent_runs_of_a_pair_are_combined() {
        use Outcome::{Fail, Inconclusive};
        let entries = [entry("a", 1, equal)];
        let runs = [1, 2].map(|seed| run(&seed.to_string(), seed, &entries, &[Inconclusive]));
        assert_eq!(outcomes(&runs), named(&[("a", Fail)]), "2.5 + 2.5 > ln 100");

        let against = |(run, asked): (&LoadedRun, &str)| {
            let side =
                OtherSide { asked: asked.to_owned(), name: "other".to_owned(), ..OtherSide::default() };
            let start = run.start.clone().map(|start| StartRecord { against: Some(side), ..start });
            LoadedRun { start, ..run.clone() }
        };
        let of_folders = |folders: [&str; 2]| runs.iter().zip(folders).map(against).collect::<Vec<_>>();
        assert_eq!(outcomes(&of_folders(["../v1", "../v1"])), named(&[("a", Fail)]));
        assert_eq!(outcomes(&of_folders(["../v1", "../v2"])), named(&[("a", Outcome::Error)]));
    }

    #[test]
    fn what_cannot_be_combined_is_an_error_of_its_pair() {
        use Outcome::{Error, Pass};
        let entries = [entry("a", 1, equal), entry("b", 2, equal)];
        let runs = [run("runs/one", 1, &entries, &[Pass, Pass]), run("runs/two", 1, &entries, &[Pass])];
        assert_eq!(outcomes(&runs), named(&[("a", Error), ("b", Pass)]));
        let record = merged(&runs, Path::new("runs")).remove(0).record;
        let reason = record.reason().unwrap();
        assert!(
            reason.starts_with("recorded 2 times, which cannot be combined: they have the same seed 0000"),
            "{reason}"
        );
        assert!(reason.ends_with("\nrecorded in one and in two"), "{reason}");
    }

    #[test]
    fn who_left_a_pair_out_says_nothing_about_it() {
        use Outcome::{Ignored, Pass};
        let entries = [entry("a", 1, equal)];
        let runs = [run("1", 1, &entries, &[Ignored]), run("2", 1, &entries, &[Pass])];
        assert_eq!(outcomes(&runs), named(&[("a", Pass)]));
        assert_eq!(outcomes(&runs[..1]), named(&[("a", Ignored)]));
    }

    #[test]
    fn a_part_that_is_missing_is_counted() {
        use Outcome::Pass;
        let entries = [entry("a", 1, equal), entry("b", 2, equal), entry("c", 3, equal).report_only(true)];
        // A process that measures a part of the pairs knows of all of them.
        let part = |path, seed, which: usize, outcome| {
            let mut run = ended(run(path, seed, &entries, &[outcome; 3]));
            run.pairs = vec![run.pairs.swap_remove(which)];
            run
        };
        let first = part("1", 1, 0, Pass);
        assert_eq!(
            incomplete(&[first.clone(), part("2", 2, 0, Pass), part("3", 3, 2, Pass)]),
            ["these records have 1 of the 2 functions of my_package::sorting that have a limit"],
            "neither the same one again nor one without a gate"
        );
        assert_eq!(incomplete(&[first, part("2", 2, 1, Pass)]), [""; 0]);
    }

    #[test]
    fn what_is_ignored_is_not_missing_unless_a_process_ran_it() {
        use Outcome::{Ignored, Pass};
        let (a, b) = (entry("a", 1, equal), entry("b", 2, equal).ignore("slow"));
        let of_a = ended(run("1", 1, &[a, b], &[Pass]));
        assert_eq!(incomplete(slice::from_ref(&of_a)), [""; 0], "nextest starts no process for it");
        assert_eq!(incomplete(&[ended(run("1", 1, &[a, b], &[Pass, Ignored]))]), [""; 0]);
        let mut of_b = ended(run("2", 2, &[a, b], &[Ignored, Pass]));
        of_b.start.as_mut().unwrap().gated_ignored = 0;
        let missing = ["these records have 1 of the 2 functions of my_package::sorting that have a limit"];
        assert_eq!(incomplete(slice::from_ref(&of_b)), missing, "where it is run, it is one of them");
        assert_eq!(incomplete(&[of_a, of_b]), [""; 0]);
        let mut fails_there = ended(run("3", 3, &[a, entry("b", 2, equal)], &[Pass, Ignored]));
        fails_there.pairs[1].record.end =
            End::Ignored { reason: Some("no such file".to_owned()), fails_in_old: true };
        assert_eq!(incomplete(&[fails_there]), [""; 0]);
    }
}
