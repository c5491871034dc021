//! The records of several processes or machines, as those of one run.

use std::collections::HashMap;
use std::path::Path;

use super::combine::{Source, combined};
use super::file::{FiledPair, FiledRun, FoundPair, full_name, pairs_of, starts_of};
use super::joined::JoinedPair;
use crate::order::sorted;
use crate::record::{Outcome, PairRecord, StartRecord};

/// One record of every pair, in the order of the source, and what is wrong with stored slots. Files are named as they are
/// below this folder.
pub(super) fn merged(runs: &[FiledRun], folder: &Path) -> (Vec<JoinedPair>, Vec<String>) {
    let found = pairs_of(runs);
    let mut benches: HashMap<&str, usize> = HashMap::new();
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut groups: Vec<Vec<(&Path, &FiledPair)>> = Vec::new();
    let mut places = Vec::new();
    for FoundPair { run, pair, bench, name } in &found {
        let below = run.path.strip_prefix(folder).ok().filter(|below| !below.as_os_str().is_empty());
        let path = below.unwrap_or(&run.path);
        let known = benches.len();
        let bench = *benches.entry(bench).or_insert(known);
        let group = *names.entry(name).or_insert(groups.len());
        if group == groups.len() {
            let PairRecord { file, line, .. } = pair.record();
            places.push((bench, file, line));
            groups.push(Vec::new());
        }
        groups[group].push((path, *pair));
    }
    let mut told = Vec::with_capacity(groups.len());
    let mut problems = Vec::new();
    for group in sorted(groups.len(), &|a, b| places[a].cmp(&places[b])) {
        told.push(one(&groups[group], &mut problems));
    }
    (told, problems)
}

/// The one record of a pair.
fn one(group: &[(&Path, &FiledPair)], problems: &mut Vec<String>) -> JoinedPair {
    let mut measured = Vec::new();
    let mut sources = Vec::new();
    let mut paths = Vec::new();
    for (path, pair) in group {
        let record = pair.record();
        // Who left it out says nothing about it.
        if record.outcome != Outcome::Ignored {
            measured.push((*path, *pair));
            sources.push(Source { record, path });
            paths.push(path.display().to_string());
        }
    }
    match measured[..] {
        [] => told(group[0], None, problems),
        [only] => told(only, None, problems),
        [first, ..] => match combined(&sources) {
            Ok((longest, record)) => told(measured[longest], Some(record), problems),
            Err(reason) => {
                let reason = format!(
                    "recorded {} times, which cannot be combined: {reason}\nrecorded in {}",
                    measured.len(),
                    paths.join(" and in ")
                );
                JoinedPair { record: first.1.record().clone().failed(reason), measured: None }
            }
        },
    }
}

/// A record, or another one in its place, with the slots that it was made of where they are stored.
fn told(
    (path, pair): (&Path, &FiledPair),
    instead: Option<PairRecord>,
    problems: &mut Vec<String>,
) -> JoinedPair {
    let measured = pair.pair.measured().unwrap_or_else(|reason| {
        problems.push(format!("{}, line {}: {reason}", path.display(), pair.line));
        None
    });
    JoinedPair { record: instead.unwrap_or_else(|| pair.record().clone()), measured }
}

/// The pairs that runs planned and that no run has a record of, for each run that did not end.
pub(super) fn missing(runs: &[FiledRun], is_wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let found = pairs_of(runs);
    // A set, of the one kind of map that everything here is compiled for.
    let mut recorded: HashMap<&str, usize> = HashMap::new();
    for FoundPair { name, pair, .. } in &found {
        recorded.insert(name, pair.line);
    }
    let mut told = Vec::new();
    for run in runs {
        let Some(start) = &run.start else { continue };
        let bench = full_name(&start.package, &start.bench);
        let mut names = Vec::new();
        for name in run.missing() {
            if is_wanted(name) && !recorded.contains_key(full_name(&bench, name).as_str()) {
                names.push(name);
            }
        }
        if !names.is_empty() {
            told.push(format!(
                "{}: this run did not end, and nothing tells of {} of its {} pairs: {}",
                run.path.display(),
                names.len(),
                start.pairs.len(),
                few(&names)
            ));
        }
    }
    told
}

/// What `--json` wrote of runs that did not end: their last line is missing, and nothing tells what was planned.
pub(super) fn endless(runs: &[FiledRun]) -> Vec<String> {
    let mut told = Vec::new();
    for FiledRun { path, start, end, .. } in runs {
        if start.is_none() && end.is_none() {
            told.push(format!(
                "{}: the line of the run is missing, so the run did not end, and pairs may be missing",
                path.display()
            ));
        }
    }
    told
}

/// The pairs with a gate that a bench has.
pub(super) struct Gated {
    /// The bench in its package.
    bench: String,
    pub(super) count: usize,
    /// Those of them that every process left out because they are ignored.
    pub(super) ignored: usize,
}

/// The pairs with a gate of each bench, which several processes may have run.
pub(super) fn gated(starts: &[&StartRecord]) -> Vec<Gated> {
    let mut benches: Vec<Gated> = Vec::new();
    for start in starts {
        let bench = full_name(&start.package, &start.bench);
        match benches.iter_mut().find(|known| known.bench == bench) {
            Some(known) => {
                known.count = start.gated.max(known.count);
                known.ignored = start.gated_ignored.min(known.ignored);
            }
            None => benches.push(Gated { bench, count: start.gated, ignored: start.gated_ignored }),
        }
    }
    benches
}

/// The benches of which fewer pairs with a gate were run than they have: a part of them is somewhere else, or was filtered
/// out. What every process left out because it is ignored is not missing, whether or not a record says so.
pub(super) fn incomplete(runs: &[FiledRun]) -> Vec<String> {
    let found = pairs_of(runs);
    let mut counted: HashMap<&str, usize> = HashMap::new();
    let mut here: HashMap<&str, usize> = HashMap::new();
    for (index, FoundPair { pair, bench, name, .. }) in found.iter().enumerate() {
        let PairRecord { gate, outcome, .. } = pair.record();
        let was_run = gate.is_some() && *outcome != Outcome::Ignored;
        if was_run && *counted.entry(name).or_insert(index) == index {
            *here.entry(bench).or_insert(0) += 1;
        }
    }
    let mut told = Vec::new();
    for Gated { bench, count, ignored } in gated(&starts_of(runs)) {
        let here = here.get(bench.as_str()).copied().unwrap_or_default();
        let count = count.saturating_sub(ignored);
        if here < count {
            told.push(format!("{here} of {count} gated pairs of {bench} are here"));
        }
    }
    told
}

/// At most a few names.
pub(super) fn few(names: &[&str]) -> String {
    const FEW: usize = 3;
    let shown = &names[..FEW.min(names.len())];
    let shown = format!("`{}`", shown.join("`, `"));
    match names.len().saturating_sub(FEW) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::*;
    use crate::entry::PairEntry;
    use crate::fixture::{entry, equal, planned};
    use crate::machine::Machine;
    use crate::record::{RunRecord, StartRecord, StoredPair};

    /// A run of these entries that did not end, with these outcomes of the first of them.
    fn run(path: &str, seed: u64, entries: &[PairEntry], outcomes: &[Outcome]) -> FiledRun {
        let plan = planned(&format!("--seed {seed} --judge sequential"), entries);
        let pairs = plan.pairs.iter().zip(outcomes).enumerate().map(|(index, (pair, outcome))| {
            let record = PairRecord {
                ln_e_fail: Some(2.5),
                ln_e_pass: Some(-1.0),
                ..PairRecord::unmeasured(&plan, pair, *outcome, None)
            };
            FiledPair { line: index + 2, pair: StoredPair::new(record, None) }
        });
        FiledRun {
            path: path.into(),
            start: Some(StartRecord::of(&plan, &Machine::default())),
            pairs: pairs.collect(),
            end: None,
        }
    }

    fn ended(run: FiledRun) -> FiledRun {
        FiledRun { end: Some(RunRecord::default()), ..run }
    }

    fn outcomes(runs: &[FiledRun]) -> Vec<(String, Outcome)> {
        let records = merged(runs, Path::new("runs")).0.into_iter().map(|told| told.record);
        records.map(|record| (record.name, record.outcome)).collect()
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
        other.pairs[0].pair.record.bench = "searching".to_owned();
        let runs = [run("1", 1, &entries, &[Outcome::Pass]), other];
        assert_eq!(outcomes(&runs), named(&[("a", Outcome::Pass), ("a", Outcome::Fail)]));
    }

    #[test]
    fn independent_runs_of_a_pair_are_combined() {
        use Outcome::{Fail, Inconclusive};
        let entries = [entry("a", 1, equal)];
        let runs = [1, 2].map(|seed| run(&seed.to_string(), seed, &entries, &[Inconclusive]));
        assert_eq!(outcomes(&runs), named(&[("a", Fail)]), "2.5 + 2.5 > ln 100");
    }

    #[test]
    fn what_cannot_be_combined_is_an_error_of_its_pair() {
        use Outcome::{Error, Pass};
        let entries = [entry("a", 1, equal), entry("b", 2, equal)];
        let runs = [run("runs/one", 1, &entries, &[Pass, Pass]), run("runs/two", 1, &entries, &[Pass])];
        assert_eq!(outcomes(&runs), named(&[("a", Error), ("b", Pass)]));
        let reason = merged(&runs, Path::new("runs")).0.remove(0).record.reason.unwrap();
        assert!(reason.starts_with("recorded 2 times, which cannot be combined: the seed 0000"), "{reason}");
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
    fn pairs_that_nothing_tells_of_are_named() {
        use Outcome::Pass;
        let entries = ["a", "b", "c", "d", "e"].map(|name| entry(name, 1, equal));
        let killed = run("killed.jsonl", 1, &entries, &[Pass]);
        let all = &|_: &str| true;
        assert_eq!(
            missing(slice::from_ref(&killed), all),
            [
                "killed.jsonl: this run did not end, and nothing tells of 4 of its 5 pairs: `b`, `c`, `d` and 1 more"
            ]
        );
        let again = run("again.jsonl", 2, &entries[1..], &[Pass; 4]);
        assert_eq!(missing(&[killed.clone(), again], all), [""; 0]);
        assert_eq!(missing(&[killed], &|name| name == "a"), [""; 0]);
    }

    #[test]
    fn a_part_that_is_missing_is_counted() {
        use Outcome::Pass;
        let entries = [entry("a", 1, equal), entry("b", 2, equal), entry("c", 3, equal).report_only()];
        // As a process that measures a part of the pairs: it knows of all.
        let part = |path, seed, which: usize, outcome| {
            let mut run = ended(run(path, seed, &entries, &[outcome; 3]));
            run.pairs = vec![run.pairs.swap_remove(which)];
            run
        };
        let first = part("1", 1, 0, Pass);
        assert_eq!(
            incomplete(&[first.clone(), part("2", 2, 0, Pass), part("3", 3, 2, Pass)]),
            ["1 of 2 gated pairs of my_package::sorting are here"],
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
        let missing = ["1 of 2 gated pairs of my_package::sorting are here"];
        assert_eq!(incomplete(slice::from_ref(&of_b)), missing, "where it is run, it is one of them");
        assert_eq!(incomplete(&[of_a, of_b]), [""; 0]);
    }

    #[test]
    fn records_without_the_line_of_their_run_are_no_whole_run() {
        let mut lone = run("a.json", 1, &[entry("a", 1, equal)], &[Outcome::Pass]);
        assert_eq!(endless(slice::from_ref(&lone)), [""; 0], "its start tells what is missing");
        lone.start = None;
        assert_eq!(
            endless(slice::from_ref(&lone)),
            ["a.json: the line of the run is missing, so the run did not end, and pairs may be missing"]
        );
        lone.end = Some(RunRecord::default());
        assert_eq!(endless(&[lone]), [""; 0]);
    }
}
