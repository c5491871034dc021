//! Checks that the records of a run agree: with each other, with its plan, and with what its last line
//! counts.
//!
//! A report is only as good as what it is made of. Whatever does not agree is an error, however the run
//! ended.

use std::collections::HashSet;

use super::loaded::{LoadedPair, LoadedRun};
use crate::record::{GateRecord, Outcome, PairRecord, RunRecord, StartRecord};
use crate::settings::grammar;
use crate::system::exit::Exit;

/// The problems with a run, each with its file.
pub(super) fn problems(run: &LoadedRun) -> Vec<String> {
    let path = run.path.display();
    let mut problems: Vec<String> = unended(run).into_iter().collect();
    if let Some(start) = &run.start {
        problems.extend(against_start(run, start));
    }
    let mut names = HashSet::new();
    for LoadedPair { line, pair } in &run.pairs {
        let record = &pair.record;
        let in_itself = contradiction(record).or_else(|| pair.measured().err());
        let in_run = || run.start.as_ref().and_then(|start| contradiction_in_run(record, start));
        let is_new = names.insert((&record.package, &record.bench, &record.name));
        let twice = || (!is_new).then(|| "the run has this pair twice".to_owned());
        if let Some(reason) = in_itself.or_else(in_run).or_else(twice) {
            problems.push(format!("line {line}, pair `{}`: {reason}", record.name));
        }
    }
    problems.extend(run.end.as_ref().and_then(|end| miscounted(run, end)));
    problems
        .iter()
        .map(|problem| format!("{path}, {problem}").replacen(", this run", ": this run", 1))
        .collect()
}

/// The problem of a run that did not end.
fn unended(run: &LoadedRun) -> Option<String> {
    if run.end.is_some() {
        return None;
    }
    let Some(start) = &run.start else {
        return Some("this run did not end: its last line is missing, so pairs may be missing".to_owned());
    };
    let recorded: HashSet<&str> = run.pairs.iter().map(|pair| pair.record().name.as_str()).collect();
    let planned = start.pairs.iter().map(|pair| pair.name.as_str());
    let missing: Vec<&str> = planned.filter(|name| !recorded.contains(name)).collect();
    let count = start.pairs.len();
    Some(match missing.len() {
        0 => format!("this run did not end, though all of its {count} pairs are there"),
        missing_count => format!(
            "this run did not end, {missing_count} of its {count} pairs are missing: {}",
            few(&missing)
        ),
    })
}

/// The contradictions to the start of a run.
fn against_start(run: &LoadedRun, start: &StartRecord) -> Vec<String> {
    let mut problems = Vec::new();
    let gated = run.pairs.iter().filter(|pair| pair.record().gate.is_some()).count();
    if gated > start.gated {
        problems.push(format!("{gated} of its pairs have a gate, and alpha is shared by {}", start.gated));
    }
    let Some(end) = &run.end else { return problems };
    if (&end.package, &end.bench) != (&start.package, &start.bench) {
        problems.push("its first and its last line are of different benches".to_owned());
    }
    let stopped = run.pairs.iter().any(|pair| pair.record().outcome().exit(start.strict) != Exit::Success);
    if run.pairs.len() < start.pairs.len() && !stopped {
        problems.push(format!(
            "{} of its {} pairs are missing",
            start.pairs.len() - run.pairs.len(),
            start.pairs.len()
        ));
    }
    problems
}

/// The difference between the counts of a run's last line and its records.
fn miscounted(run: &LoadedRun, end: &RunRecord) -> Option<String> {
    let outcomes: Vec<Outcome> = run.pairs.iter().map(|pair| pair.record().outcome()).collect();
    let counted = RunRecord::of(&StartRecord::default(), &outcomes, 0.0).counts();
    let wrong = end.counts().into_iter().zip(counted).find(|((_, said), (_, counted))| said != counted);
    wrong.map(|((word, said), (_, counted))| {
        format!("its last line says {said} {word}, and its records are {counted}: a record is missing or was changed")
    })
}

/// The contradiction between a record and the run that it stands in.
fn contradiction_in_run(record: &PairRecord, start: &StartRecord) -> Option<String> {
    if (&record.package, &record.bench) != (&start.package, &start.bench) {
        return Some("it is of another bench than the run".to_owned());
    }
    let is_planned = start.pairs.iter().any(|planned| planned.name == record.name);
    (!is_planned).then(|| "the run did not plan it".to_owned())
}

/// The contradiction of a record with itself.
fn contradiction(record: &PairRecord) -> Option<String> {
    let wrong_gate = record.gate.as_ref().and_then(wrong_gate);
    if wrong_gate.is_some() {
        return wrong_gate;
    }
    let figures = record.figures()?;
    let outcome = figures.outcome;
    if outcome.is_judged() && record.proven().is_none() {
        return Some(format!("`{}` without a gate or what it was judged by", outcome.name()));
    }
    let is_broken = figures.allocations.is_some_and(|it| it.complaint().is_some()) && outcome.is_judged();
    let expected = if is_broken { Outcome::Fail } else { record.outcome_of_time() };
    (expected != outcome)
        .then(|| format!("it says {}, and its figures say {}", outcome.name(), expected.name()))
}

fn wrong_gate(gate: &GateRecord) -> Option<String> {
    let is_rate = |rate: f64| rate > 0.0 && rate <= grammar::LARGEST_ERROR_RATE;
    if !(gate.margin.is_finite() && gate.margin > 0.0) {
        return Some(format!("the margin of its gate is {}", gate.margin));
    }
    let are_rates = is_rate(gate.alpha) && is_rate(gate.beta);
    (!are_rates).then(|| format!("its error rates are {} and {}", gate.alpha, gate.beta))
}

/// At most a few names.
pub(super) fn few(names: &[&str]) -> String {
    const FEW: usize = 3;
    let shown = format!("`{}`", names[..FEW.min(names.len())].join("`, `"));
    match names.len().saturating_sub(FEW) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use bench_diff_core::JudgeKind;

    use crate::fixture::{Allocator, allocating, entry, equal, panicking, rarely_slow, slower};
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
            ("\"gated\":3", "\"gated\":2", "FILE, 3 of its pairs have a gate, and alpha is shared by 2"),
            ("\"name\":\"a\",\"group\":\"a\"}", "\"name\":\"x\",\"group\":\"a\"}", "the run did not plan it"),
            (
                "\"bench\":\"sorting\",\"name\"",
                "\"bench\":\"x\",\"name\"",
                "it is of another bench than the run",
            ),
            ("\"bench\":\"sorting\",\"passed\"", "\"bench\":\"x\",\"passed\"", "are of different benches"),
            ("\"margin\":0.02", "\"margin\":0", "the margin of its gate is 0"),
            ("\"alpha\":0.00333", "\"alpha\":0,\"x\":0.00333", "its error rates are 0 and 0.05"),
            (
                "\"plan\":{\"alpha\":0.0033",
                "\"plan\":{\"alpha\":0.0034",
                "its plan has error rates of 0.0034",
            ),
            (
                "\"slots\":200",
                "\"slots\":18446744073709551615",
                "`slots` of its plan is none that a run could have",
            ),
            ("\"outcome\":\"fail\"", "\"outcome\":\"pass\"", "it says pass, and its figures say fail"),
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
                "`ratio` cannot be null",
            ),
            ("\"gate\":{", "\"gate\":null,\"x\":{", "`pass` without a gate or what it was judged by"),
            ("\"duos\":100", "\"duos\":99", "its record does not tell of the 100 duos that are stored"),
            ("\"processes\":[{\"iterations\":1", "\"processes\":[{\"iterations\":0", "slots without calls"),
            (
                "\"plan\":{",
                "\"plan\":null,\"x\":{",
                "a plan without notes of its calls, or such notes without a plan",
            ),
            (
                "\"event\":\"round\",\"name\":\"a\"",
                "\"event\":\"round\",\"name\":\"x\"",
                "a plan without slots",
            ),
            ("\"round\":1,\"program\"", "\"round\":2,\"program\"", "round 2 where round 1 has to be"),
        ] {
            let problems = problems("", from, to);
            assert!(problems.contains(expected), "{from} {to}: {problems}");
        }
    }

    #[test]
    fn a_tail_agrees_with_its_outcome_and_with_itself() {
        let entry = entry("a", 1, rarely_slow).judge(JudgeKind::Sequential).max_slowdown(3.0).max_tail(2.0);
        let lines = stored("", &[entry]);
        let problems = |from: &str, to: &str| problems_of(lines.clone(), from, to);
        assert_eq!(problems("\"tail\":{", "\"tail\":{"), "");
        let without = problems("\"tail\":{", "\"tail\":null,\"x\":{");
        assert!(without.contains("it says fail, and its figures say pass"), "{without}");
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
            (0.0, "\"outcome\":\"fail\"", "\"outcome\":\"pass\"", "it says pass, and its figures say fail"),
            (0.1, "\"outcome\":\"pass\"", "\"outcome\":\"fail\"", "it says fail, and its figures say pass"),
            (0.0, "\"max\":0.0", "\"max\":2.0", "it says fail, and its figures say pass"),
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
