//! Runs read back for `--replay` and `--merge`.

use std::fs;
use std::path::{Path, PathBuf};

use bench_diff_core::Gate;

use super::folder::folder;
use super::joined::Joined;
use super::loaded::{LoadedRun, starts_of, uncompared};
use super::{file, merge, replay};
use crate::plan::no_verdicts;
use crate::plan::unused_flags::{self, Asked};
use crate::record::{FinishedPair, GateRecord, Outcome, PairRecord};
use crate::report::nothing_compared;
use crate::settings::{Config, FilePath, Target, paths};
use crate::system::exit::Exit;
use crate::system::text::counted;

/// The stored runs that the configuration asks for; `None` if it asks for none.
pub(crate) fn read_back(config: &Config, target: &Target) -> Option<Joined> {
    let of = |given: &FilePath| paths::given(given, config, target);
    let (flag, joined) = match (&config.replay, &config.merge) {
        (Some(path), _) => ("--replay", replay(&of(path), config, target)),
        (None, Some(path)) => ("--merge", merge(&of(path), config)),
        (None, None) => return None,
    };
    let mut joined = joined.unwrap_or_else(|problem| Joined { problems: vec![problem], ..Joined::default() });
    joined.problems.iter_mut().for_each(|problem| problem.insert_str(0, &format!("{flag}: ")));
    Some(joined)
}

/// The contents of the files that a path leads to.
struct Read {
    files: Vec<PathBuf>,
    runs: Vec<LoadedRun>,
    problems: Vec<String>,
}

impl Read {
    /// Reads them all. A file without records is a problem, but the others are still read.
    fn files(path: &Path) -> Result<Self, String> {
        let files = file::files(path)?;
        let (mut runs, mut problems) = (Vec::new(), Vec::new());
        for file in &files {
            match file::read(file) {
                Ok(contents) => {
                    runs.extend(contents.runs);
                    problems.extend(contents.problems);
                }
                Err(problem) => problems.push(problem),
            }
        }
        Ok(Self { files, runs, problems })
    }
}

fn replay(path: &Path, config: &Config, target: &Target) -> Result<Joined, String> {
    let stored = folder(config, target)
        .map(|folder| format!("; the runs of this bench are stored in {}", folder.display()))
        .unwrap_or_default();
    let mut read = Read::files(path).map_err(|reason| format!("{reason}{stored}"))?;
    let mut pairs = Vec::new();
    for run in &read.runs {
        match replay::judged_again(run, &config.pairs, &config.selection) {
            Ok(judged) => pairs.extend(judged),
            Err(problem) if run.start.is_none() => read.problems.push(problem + &stored),
            Err(problem) => read.problems.push(problem),
        }
    }
    let mut notes = if read.runs.is_empty() { Vec::new() } else { replay::notes(&read.runs, path) };
    let asked: Vec<Asked> = pairs.iter().filter_map(asked).collect();
    notes.extend(
        unused_flags::warnings(config, &asked).into_iter().map(|warning| format!("warning: {warning}")),
    );
    Ok(joined(read, pairs, notes, config))
}

/// The settings of a pair that is judged again.
fn asked(FinishedPair { record, measured }: &FinishedPair) -> Option<Asked> {
    let gate = record.gate.as_ref().map_or(Gate::ReportOnly, GateRecord::gate);
    Some(Asked { is_compared: record.timing().is_none(), gate, plan: measured.as_ref()?.plan })
}

fn merge(path: &Path, config: &Config) -> Result<Joined, String> {
    let mut read = Read::files(path)?;
    let mut pairs = merge::merged(&read.runs, path);
    pairs.retain(|pair| config.selection.holds(&pair.record.name));
    let (count, folder) = (counted(read.files.len(), "file"), path.display());
    let mut notes = vec![format!("the records of {count} below {folder}; nothing is measured")];
    let incomplete = merge::incomplete(&read.runs);
    if is_strict(&read.runs, config) {
        read.problems.extend(incomplete);
    } else {
        notes.extend(incomplete.into_iter().map(|note| format!("note: {note}")));
    }
    Ok(joined(read, pairs, notes, config))
}

fn joined(read: Read, pairs: Vec<FinishedPair>, mut notes: Vec<String>, config: &Config) -> Joined {
    let Read { files, runs, mut problems } = read;
    let strict = is_strict(&runs, config);
    let names = runs.iter().flat_map(|run| &run.pairs).map(|pair| &pair.record.name);
    let left_out = names.filter(|name| !config.selection.holds(name)).count();
    let mut joined = Joined::new(&runs, pairs, strict);
    if let Some(side) = &mut joined.start.against {
        side.show_only(|name| config.selection.holds(name));
        // It counts functions of the whole run.
        side.hindrance = side.hindrance.take().filter(|_| left_out == 0);
    }
    let of_all = joined.start.unjudged.as_deref().map(no_verdicts);
    match unjudged(&joined.pairs) {
        Some(line) if strict || config.surroundings.ci => problems.push(line),
        Some(line) => notes.push(format!("warning: {line}")),
        None => notes.extend(of_all.map(|line| format!("warning: {line}"))),
    }
    // If no run compared anything, that is the verdict.
    let is_verdict = joined.end().uncompared().is_some();
    for (bench, end) in uncompared(&runs).iter().filter(|_| !is_verdict) {
        let line = format!("{bench}: {}", nothing_compared(end).unwrap_or_default());
        let exit = end.uncompared().map(|why| why.exit(strict));
        if exit == Some(Exit::Error) { problems.push(line) } else { notes.push(format!("note: {line}")) }
    }
    if joined.pairs.is_empty() && left_out > 0 {
        notes.push(format!("warning: no pair matches the filter; {left_out} left out"));
    }
    // As a report would find them.
    let inputs = files.iter().filter_map(|file| fs::canonicalize(file).ok()).collect();
    Joined { inputs, notes, problems, ..joined }
}

/// A line on the pairs that have a limit and no verdict, if there are any.
fn unjudged(pairs: &[FinishedPair]) -> Option<String> {
    let has_limit = |record: &&PairRecord| record.gate.is_some() && record.outcome() == Outcome::Measured;
    let unjudged: Vec<&PairRecord> = pairs.iter().map(|pair| &pair.record).filter(has_limit).collect();
    let reason = unjudged.first()?.reason().unwrap_or_default();
    Some(format!("no verdict on {}: {reason}", counted(unjudged.len(), "pair")))
}

/// A run is strict if one of the stored ones was.
fn is_strict(runs: &[LoadedRun], config: &Config) -> bool {
    config.strict || starts_of(runs).iter().any(|start| start.strict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{TARGET, config_in, entry, equal, planned, slower};
    use crate::machine::Machine;
    use crate::plan::{OtherSide, RunPlan, Uncompared};
    use crate::record::json::to_string;
    use crate::record::{RunRecord, StartRecord};
    use crate::register::PairEntry;
    use crate::store::fixture::{stored, stored_of, write};

    fn entries() -> [PairEntry; 2] {
        [entry("a", 1, equal), entry("b", 2, equal)]
    }

    /// The lines of a run of two pairs that share alpha: its start, a round and the record of each, its end.
    fn lines(line: &str) -> [String; 6] {
        stored(line, &entries()).try_into().unwrap()
    }

    /// One of these two pairs, as a process that was asked for it alone.
    fn part(of: &str) -> Vec<String> {
        stored(&format!("--exact {of}"), &entries())
    }

    /// The result of a folder with a file of each of these texts.
    fn read(flags: &str, files: &[Vec<String>]) -> Joined {
        read_in(&[], flags, files)
    }

    /// The same in an environment with these variables.
    fn read_in(variables: &[(&str, &str)], flags: &str, files: &[Vec<String>]) -> Joined {
        let folder = tempfile::tempdir().unwrap();
        for (number, lines) in files.iter().enumerate() {
            write(folder.path(), &format!("{number}.jsonl"), lines);
        }
        let [flag, rest] = flags.split_once(' ').map_or([flags, ""], |(flag, rest)| [flag, rest]);
        let line = format!("{flag} {} {rest}", folder.path().display());
        read_back(&config_in(&line, variables).unwrap(), &TARGET).unwrap()
    }

    #[test]
    fn what_was_strict_stays_strict() {
        for flag in ["--replay", "--merge"] {
            let [strict, plain] = ["--strict", ""].map(|line| lines(line).to_vec());
            assert!(read(flag, &[plain.clone(), strict]).start.strict, "{flag}");
            assert!(!read(flag, std::slice::from_ref(&plain)).start.strict, "{flag}");
            assert!(read(&format!("{flag} --strict"), &[plain]).start.strict, "{flag}");
        }
    }

    /// A run of a bench of this name that had none of these functions on the old side.
    fn uncompared(bench: &str, new: &[&str]) -> Vec<String> {
        let new = new.iter().map(|name| (*name).to_owned()).collect();
        let against = Some(OtherSide { new, ..OtherSide::default() });
        let plan = RunPlan { against, ..planned("", &[]) };
        let start = StartRecord { bench: bench.to_owned(), ..StartRecord::of(&plan, &Machine::default()) };
        [to_string(&start), to_string(&RunRecord::of(&start, &[], 1.0))].into()
    }

    #[test]
    fn a_run_that_compared_nothing_stays_one() {
        for flag in ["--replay", "--merge"] {
            let run = || uncompared("sorting", &["a", "b"]);
            let alone = read(flag, &[run()]);
            assert_eq!((alone.problems.len(), alone.notes.len()), (0, 1), "{flag}: {alone:?}");
            let end = RunRecord::of(&alone.start, &[], 0.0);
            assert_eq!(end.uncompared(), Some(Uncompared::NoFunction), "{flag}");

            // Beside another bench that compared something it has a line of its own.
            let said = "my_package::finding: nothing was compared: 2 functions are new";
            let of = |more: &str| {
                read(&format!("{flag} {more}"), &[uncompared("finding", &["a", "b"]), lines("").to_vec()])
            };
            assert!(of("").notes.contains(&format!("note: {said}")), "{flag}: {:?}", of("").notes);
            assert_eq!(of("--strict").problems, [format!("{flag}: {said}")]);
            // One of the processes of a bench that compared the rest.
            let part = read(flag, &[uncompared("sorting", &["new"]), lines("").to_vec()]);
            assert!(!part.notes.iter().any(|note| note.contains("compared")), "{flag}: {:?}", part.notes);
        }
    }

    #[test]
    fn what_was_not_compared_is_still_named_beside_what_was() {
        let of = |name: &str, new: &[&str]| {
            let new = new.iter().map(|name| (*name).to_owned()).collect();
            let mut plan = planned("", &[entry(name.to_owned().leak(), 1, equal)]);
            plan.against = Some(OtherSide { new, same_code: 7, ..OtherSide::default() });
            to_string(&StartRecord::of(&plan, &Machine::default()))
        };
        let [_, round, record, _, _, end] = lines("");
        let run = |start: String| vec![start, round.clone(), record.clone(), end.clone()];
        let both = [run(of("a", &["c"])), run(of("a", &["d", "e"]))];
        let side = |flags: &str| read(flags, &both).start.against.unwrap();
        assert_eq!(side("--merge").new, ["c", "d", "e"]);
        assert_eq!(side("--replay").same_code, 0, "of those that are shown");
        assert_eq!(side("--merge -- a d").new, ["d"]);
    }

    #[test]
    fn files_of_json_say_too_that_nothing_was_compared() {
        let run = || vec![uncompared("sorting", &["a"])[1].clone()];
        let said = "my_package::sorting: nothing was compared: 1 function is new";
        assert!(read("--merge", &[run()]).notes.contains(&format!("note: {said}")));
        assert!(read("--merge --strict", &[run()]).problems.contains(&format!("--merge: {said}")));
    }

    #[test]
    fn several_runs_of_a_function_have_a_row_each() {
        let [failing, passing] = [slower, equal].map(|run| stored("--seed 1", &[entry("a", 1, run)]));
        let replayed = read("--replay", &[failing, passing]);
        let note = "note: several runs of one function have a row each; `--merge` combines them";
        assert!(replayed.notes.iter().any(|line| line == note), "{:?}", replayed.notes);
        assert_eq!(replayed.start.pairs.len(), 2);
    }

    #[test]
    fn a_flag_without_an_effect_is_told() {
        let replayed = read("--replay --max-rounds 9 --max-slowdown 5%", &[lines("").to_vec()]);
        let told = "warning: --max-rounds has no effect: no function of this run is measured in rounds";
        let warnings: Vec<&String> =
            replayed.notes.iter().filter(|note| note.starts_with("warning")).collect();
        assert_eq!(warnings, [told]);
    }

    #[test]
    fn a_part_that_is_missing_is_told_and_an_error_of_a_strict_merge() {
        let told = "these records have 1 of the 2 functions of my_package::sorting that have a limit";
        let merged = read("--merge", &[part("a")]);
        assert!(merged.notes.contains(&format!("note: {told}")), "{:?}", merged.notes);
        assert_eq!(merged.problems, [""; 0]);
        let strict = read("--merge --strict", &[part("a")]);
        assert_eq!(strict.problems, [format!("--merge: {told}")]);
        let whole = read("--merge --strict", &[part("a"), part("b")]);
        assert_eq!((whole.notes.len(), whole.problems.len()), (1, 0), "{whole:?}");
    }

    #[test]
    fn a_limit_that_was_not_judged_is_told_and_an_error_if_strict_or_in_ci() {
        let plan = RunPlan { unjudged: Some("a debug build"), ..planned("", &entries()) };
        let unjudged = stored_of(&plan, &entries());
        for flag in ["--merge", "--replay"] {
            let files = [unjudged.clone()];
            let told = "no verdict on 2 pairs: a debug build";
            let plain = read(flag, &files);
            assert!(plain.notes.contains(&format!("warning: {told}")), "{flag}: {:?}", plain.notes);
            assert_eq!(plain.problems, [""; 0]);
            assert_eq!(read(&format!("{flag} --strict"), &files).problems, [format!("{flag}: {told}")]);
            let in_ci = read_in(&[("CI", "true")], flag, &files).problems;
            assert_eq!(in_ci, [format!("{flag}: {told}")]);
            // A file of `--json` has no start.
            let records =
                [unjudged.iter().filter(|line| line.contains("\"event\":\"pair\"")).cloned().collect()];
            assert_eq!(
                read("--merge --strict", &records).problems.last().unwrap(),
                &format!("--merge: {told}")
            );
        }
    }

    #[test]
    fn what_is_missing_or_contradicts_itself_is_a_problem_of_whoever_reads_it() {
        let failing = stored("", &[entry("a", 1, equal), entry("b", 2, slower)]);
        let [start, round_a, a, round_b, b, end] = &failing[..] else { panic!("six lines") };
        let passing = b.replace("\"outcome\":\"fail\"", "\"outcome\":\"pass\"");
        for flag in ["--merge", "--replay"] {
            let wrong = |lines: Vec<String>| read(flag, &[lines]).problems.join("\n");
            assert_eq!(wrong(failing.clone()), "");
            assert!(wrong(failing[..5].to_vec()).contains("this run did not end"));
            let without = [start, round_a, a, end].map(String::clone).to_vec();
            assert!(wrong(without).contains("its last line says 1 failed, and its records are 0"));
            let changed = wrong([start, round_a, a, round_b, &passing, end].map(String::clone).to_vec());
            assert!(
                changed.contains("pair `b`: its verdict is pass, but its figures give fail"),
                "{changed}"
            );
        }
    }
}
