//! Checks that the records of a run agree: with their slots, and with what its last line counts.
//!
//! A report is only as good as what it is made of. Whatever does not agree is an error, however the run
//! ended.

use std::collections::HashSet;

use super::loaded::LoadedRun;
use crate::record::{Outcome, PairRecord, RunRecord, StartRecord};
use crate::system::exit::Exit;
use crate::system::text::few;

/// The most missing pairs that are named.
const FEW: usize = 3;

/// The problems with a run, each with its file.
pub(super) fn problems(run: &LoadedRun) -> Vec<String> {
    let path = run.path.display();
    let mut problems: Vec<String> =
        unended(run).map(|reason| format!("{path}: {reason}")).into_iter().collect();
    let mut names = HashSet::new();
    for pair in &run.pairs {
        let record = &pair.record;
        let is_new = names.insert((&record.package, &record.bench, &record.name));
        let twice = || (!is_new).then(|| "the run has this pair twice".to_owned());
        if let Some(reason) = contradiction(record).or_else(|| pair.measured().err()).or_else(twice) {
            problems.push(format!("{path}, pair `{}`: {reason}", record.name));
        }
    }
    if let Some(end) = &run.end {
        let of_run = missing(run).into_iter().chain(miscounted(run, end));
        problems.extend(of_run.map(|reason| format!("{path}, {reason}")));
    }
    problems
}

/// The problem of a run that did not end.
fn unended(run: &LoadedRun) -> Option<String> {
    if run.end.is_some() {
        return None;
    }
    let Some(start) = &run.start else {
        return Some("this run did not end: its last line is missing, so pairs may be missing".to_owned());
    };
    let recorded: HashSet<&str> = run.pairs.iter().map(|pair| pair.record.name.as_str()).collect();
    let planned = start.pairs.iter().map(|pair| pair.name.as_str());
    let missing = planned.filter(|name| !recorded.contains(name)).map(|name| format!("`{name}`"));
    let missing: Vec<String> = missing.collect();
    let count = start.pairs.len();
    Some(match missing.len() {
        0 => format!("this run did not end, though all of its {count} pairs are in the file"),
        missing_count => format!(
            "this run did not end, {missing_count} of its {count} pairs are missing: {}",
            few(&missing, FEW)
        ),
    })
}

/// The number of planned pairs that a run ended without, though nothing stopped it.
fn missing(run: &LoadedRun) -> Option<String> {
    let start = run.start.as_ref()?;
    let planned = start.pairs.len();
    let stopped = run.pairs.iter().any(|pair| pair.record.outcome().exit(start.strict) != Exit::Success);
    (run.pairs.len() < planned && !stopped)
        .then(|| format!("{} of its {planned} pairs are missing", planned - run.pairs.len()))
}

/// The difference between the counts of a run's last line and its records.
fn miscounted(run: &LoadedRun, end: &RunRecord) -> Option<String> {
    let outcomes: Vec<Outcome> = run.pairs.iter().map(|pair| pair.record.outcome()).collect();
    let counted = RunRecord::of(&StartRecord::default(), &outcomes, 0.0).counts();
    let wrong = end.counts().into_iter().zip(counted).find(|((_, said), (_, counted))| said != counted);
    wrong.map(|((word, said), (_, counted))| {
        format!("its last line says {said} {word}, and its records are {counted}: a record is missing or was changed")
    })
}

/// The contradiction of a record with itself.
fn contradiction(record: &PairRecord) -> Option<String> {
    let figures = record.figures()?;
    let outcome = figures.outcome;
    if outcome.is_judged() && record.proven().is_none() {
        return Some(format!("`{}` without a limit or without p-values", outcome.name()));
    }
    let expected = figures.outcome_of_allocations().unwrap_or_else(|| record.outcome_of_time());
    (expected != outcome)
        .then(|| format!("its verdict is {}, but its figures give {}", outcome.name(), expected.name()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::fixture::{Allocator, allocating, entry, equal, panicking, slower};
    use crate::store::file::read;
    use crate::store::fixture::{stored, write};

    /// The problems with a run of four pairs of which this text was replaced.
    fn problems(line: &str, from: &str, to: &str) -> String {
        let entries = [
            entry("a", 1, equal),
            entry("b", 2, slower).max_difference(0.02),
            entry("c", 3, panicking),
            entry("d", 4, equal).report_only(true),
        ];
        problems_of(stored(&format!("--seed 8f3a {line}"), &entries), from, to)
    }

    fn problems_of(mut lines: Vec<String>, from: &str, to: &str) -> String {
        let changed = lines.iter_mut().find(|line| line.contains(from)).expect("a line has it");
        *changed = changed.replacen(from, to, 1);
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "run.jsonl", &lines);
        let path = fs::canonicalize(folder.path()).unwrap().join("run.jsonl");
        let problems = read(&path).map_or_else(|unread| unread, |contents| contents.problems.join("\n"));
        problems.replace(&path.display().to_string(), "FILE")
    }

    #[test]
    fn what_a_run_says_of_itself_is_nothing_to_complain_of() {
        for line in ["", "--judge sequential", "a", "--fail-fast"] {
            assert_eq!(problems(line, "\"schema\"", "\"schema\""), "", "{line}");
        }
    }

    #[test]
    fn every_contradiction_is_named() {
        for (from, to, expected) in [
            ("\"passed\":1", "\"passed\":2", "FILE, its last line says 2 passed, and its records are 1"),
            ("\"slots\":200", "\"slots\":18446744073709551615", "`slots` of its plan is out of range"),
            (
                "\"outcome\":\"fail\"",
                "\"outcome\":\"pass\"",
                "its verdict is pass, but its figures give fail",
            ),
            ("\"outcome\":\"fail\"", "\"outcome\":\"measured\"", "its last line says 1 failed"),
            ("\"outcome\":\"fail\"", "\"outcome\":\"ignored\"", "its last line says 1 failed"),
            (
                "\"outcome\":\"error\",\"reason\":\"",
                "\"outcome\":\"error\",\"reason\":null,\"x\":\"",
                "FILE, line 6: not a stored run of bench_diff: an error without a reason",
            ),
            (
                "\"outcome\":\"fail\"",
                "\"outcome\":\"fail\",\"ratio\":null,\"x\":[]",
                "FILE, line 5: not a stored run of bench_diff: unexpected JSON at column ",
            ),
            ("\"gate\":{", "\"gate\":null,\"x\":{", "`pass` without a limit or without p-values"),
            ("\"duos\":100", "\"duos\":99", "its record counts 99 duos, and 100 are stored"),
            ("\"processes\":[{\"iterations\":1", "\"processes\":[{\"iterations\":0", "slots without calls"),
            (
                "\"event\":\"round\",\"name\":\"a\"",
                "\"event\":\"round\",\"name\":\"x\"",
                "a plan without slots",
            ),
            ("\"round\":1,\"program\"", "\"round\":2,\"program\"", "round 2 comes where round 1 is expected"),
        ] {
            let problems = problems("", from, to);
            assert!(problems.contains(expected), "{from} {to}: {problems}");
        }
    }

    #[test]
    fn allocations_that_contradict_the_outcome_are_named() {
        let _allocator = Allocator::new();
        let problems = |max, from: &str, to: &str| {
            let entries = [entry("a", 1, allocating).max_allocations(max)];
            problems_of(stored("--seed 8f3a", &entries), from, to)
        };
        assert_eq!(problems(0.0, "\"schema\"", "\"schema\""), "");
        assert_eq!(problems(0.1, "\"schema\"", "\"schema\""), "");
        for (max, from, to, expected) in [
            (
                0.0,
                "\"outcome\":\"fail\"",
                "\"outcome\":\"pass\"",
                "its verdict is pass, but its figures give fail",
            ),
            (
                0.1,
                "\"outcome\":\"pass\"",
                "\"outcome\":\"fail\"",
                "its verdict is fail, but its figures give pass",
            ),
            (0.0, "\"max\":0.0", "\"max\":2.0", "its verdict is fail, but its figures give pass"),
        ] {
            let problems = problems(max, from, to);
            assert!(problems.contains(expected), "{from} {to}: {problems}");
        }
    }

    #[test]
    fn a_pair_that_is_missing_is_named_where_nothing_stopped_the_run() {
        let lines = stored("", &[entry("a", 1, equal), entry("b", 2, equal)]);
        let folder = tempfile::tempdir().unwrap();
        let mut without = [0, 1, 2, 5].map(|line: usize| lines[line].clone());
        without[3] = without[3].replace("\"passed\":2", "\"passed\":1");
        write(folder.path(), "run.jsonl", &without);
        let problems = read(&folder.path().join("run.jsonl")).unwrap().problems;
        assert!(problems[0].ends_with("run.jsonl, 1 of its 2 pairs are missing"), "{problems:?}");
    }
}
