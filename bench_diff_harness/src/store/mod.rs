//! Stored runs: written while a run goes on, and read again by `--replay` and `--merge`.

mod combine;
mod file;
mod folder;
mod joined;
mod merge;
mod name;
mod replay;
mod writer;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use self::file::{Contents, FiledPair, FiledRun, FoundPair, pairs_of, starts_of};
use self::folder::folder;
pub(crate) use self::joined::Joined;
use self::joined::JoinedPair;
pub(crate) use self::writer::Store;
use crate::config::{Config, FilePath, Overrides, Selection};
use crate::target::Target;

/// What the configuration asks for of stored runs; none where it does not.
pub(crate) fn read_back(config: &Config, target: &Target) -> Option<Joined> {
    let stored = &config.stored;
    match (&stored.replay, &stored.merge) {
        (Some(path), _) => Some(replay(path, config, target)),
        (None, Some(path)) => Some(merge(path, config, target)),
        (None, None) => None,
    }
}

fn replay(given: &FilePath, config: &Config, target: &Target) -> Joined {
    let path = folder::path(given, config, target);
    let files = match file::files(&path) {
        Ok(files) => files,
        Err(reason) => {
            let where_stored = folder(config, target)
                .map(|folder| format!("; the runs of this bench are stored in {}", folder.display()));
            return Joined::unreadable(format!("--replay: {reason}{}", where_stored.unwrap_or_default()));
        }
    };
    let inputs = canonical(&files);
    let (mut runs, mut pairs, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        let judged = file::read(&file).and_then(|contents| {
            let pairs = judged_again(&contents.runs, &config.overrides, &config.selection)?;
            Ok((contents, pairs))
        });
        match judged {
            Ok((contents, judged)) => {
                problems.extend(torn(&file, &contents, "judged"));
                runs.extend(contents.runs);
                pairs.extend(judged);
            }
            Err(problem) => problems.push(format!("--replay: {problem}")),
        }
    }
    let notes = if runs.is_empty() { Vec::new() } else { replayed(&runs, &path) };
    Joined { inputs, ..joined(&runs, pairs, problems, notes, config) }
}

fn judged_again(
    runs: &[FiledRun],
    overrides: &Overrides,
    selection: &Selection,
) -> Result<Vec<JoinedPair>, String> {
    let mut told = Vec::new();
    for run in runs {
        let Some(start) = &run.start else {
            return Err(format!(
                "{}: not a stored run of bench_diff: it does not begin with the start of a run",
                run.path.display()
            ));
        };
        for FiledPair { line, pair } in &run.pairs {
            if selection.holds(&pair.record.name) {
                let judged = replay::judged_again(pair, start, overrides);
                told.push(judged.map_err(|reason| format!("{}, line {line}: {reason}", run.path.display()))?);
            }
        }
    }
    Ok(told)
}

fn merge(given: &FilePath, config: &Config, target: &Target) -> Joined {
    let path = folder::path(given, config, target);
    let files = match file::files(&path) {
        Ok(files) => files,
        Err(reason) => return Joined::unreadable(format!("--merge: {reason}")),
    };
    let count = files.len();
    let inputs = canonical(&files);
    let (mut runs, mut problems) = (Vec::new(), Vec::new());
    for file in files {
        match file::read(&file) {
            Ok(contents) => {
                problems.extend(torn(&file, &contents, "merged"));
                runs.extend(contents.runs);
            }
            Err(problem) => problems.push(format!("--merge: {problem}")),
        }
    }
    problems.extend(merge::missing(&runs, &|name| config.selection.holds(name)));
    problems.extend(merge::endless(&runs));
    let (mut pairs, broken) = merge::merged(&runs, &path);
    problems.extend(broken);
    pairs.retain(|told| config.selection.holds(&told.record.name));
    let plural = if count == 1 { "" } else { "s" };
    let note = format!("the records of {count} file{plural} below {}; nothing is measured", path.display());
    let mut merged = Joined { inputs, ..joined(&runs, pairs, problems, vec![note], config) };
    let incomplete = merge::incomplete(&runs);
    if merged.start.strict {
        merged.problems.extend(incomplete);
    } else {
        for note in incomplete {
            merged.notes.push(format!("note: {note}"));
        }
    }
    merged
}

fn joined(
    runs: &[FiledRun],
    pairs: Vec<JoinedPair>,
    problems: Vec<String>,
    mut notes: Vec<String>,
    config: &Config,
) -> Joined {
    let mut left_out = 0;
    for run in runs {
        for pair in &run.pairs {
            left_out += usize::from(!config.selection.holds(&pair.record().name));
        }
    }
    if pairs.is_empty() && left_out > 0 {
        notes.push(format!("warning: no pair matches the filter; {left_out} left out"));
    }
    let strict = config.strict || starts_of(runs).iter().any(|start| start.strict);
    Joined { notes, problems, ..Joined::new(runs, pairs, strict) }
}

/// What a reader of a replay should know of it.
fn replayed(runs: &[FiledRun], path: &Path) -> Vec<String> {
    let what = match runs {
        [run] => run.path.display().to_string(),
        runs => format!("{} runs below {}", runs.len(), path.display()),
    };
    let mut notes = vec![format!("judged again: {what}; nothing is measured")];
    for start in starts_of(runs) {
        if let Some(unjudged) = &start.unjudged {
            let warning = format!("warning: {unjudged}");
            if !notes.contains(&warning) {
                notes.push(warning);
            }
        }
    }
    for run in runs {
        notes.extend(unended(run));
    }
    notes.extend(repeated(runs));
    notes
}

/// The pairs that are told more than once: of a replay, which does not join them.
fn repeated(runs: &[FiledRun]) -> Vec<String> {
    let found = pairs_of(runs);
    let mut firsts: HashMap<&str, usize> = HashMap::new();
    let mut paths: Vec<Vec<String>> = Vec::new();
    for (index, FoundPair { run, name, .. }) in found.iter().enumerate() {
        let first = *firsts.entry(name).or_insert(index);
        paths.push(Vec::new());
        paths[first].push(run.path.display().to_string());
    }
    let mut told = Vec::new();
    for (FoundPair { name, .. }, paths) in found.iter().zip(&paths) {
        if paths.len() > 1 {
            told.push(format!(
                "warning: {name} is stored {} times, in {}; --merge joins the runs of a pair",
                paths.len(),
                paths.join(" and in ")
            ));
        }
    }
    told
}

/// The files as a report would find them.
fn canonical(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::with_capacity(files.len());
    for file in files {
        found.extend(fs::canonicalize(file));
    }
    found
}

fn unended(run: &FiledRun) -> Option<String> {
    let planned = run.start.as_ref().filter(|_| run.end.is_none())?.pairs.len();
    let missing = run.missing();
    let path = run.path.display();
    Some(match missing.len() {
        0 => format!("warning: {path}: this run did not end, though all of its {planned} pairs are there"),
        count => format!(
            "warning: {path}: this run did not end, {count} of its {planned} pairs are missing: {}",
            merge::few(&missing)
        ),
    })
}

/// What is wrong with a file that ends in the middle of a line.
fn torn(path: &Path, contents: &Contents, done: &str) -> Option<String> {
    let line = contents.torn?;
    let pairs = match contents.pairs() {
        1 => "1 whole pair before it was".to_owned(),
        pairs => format!("{pairs} whole pairs before it were"),
    };
    Some(format!("{} ends in the middle of line {line}: {pairs} {done}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{TARGET, config, entry, equal, planned};
    use crate::json;
    use crate::machine::Machine;
    use crate::record::{Outcome, PairRecord, RunRecord, StartRecord, StoredPair};

    /// The lines of a run of two pairs that share alpha: its start, its pairs, its end.
    fn lines(line: &str) -> [String; 4] {
        let plan = planned(line, &[entry("a", 1, equal), entry("b", 2, equal)]);
        let start = StartRecord::of(&plan, &Machine::default());
        let pair = |index: usize| {
            let record = PairRecord::unmeasured(&plan, &plan.pairs[index], Outcome::Pass, None);
            StoredPair::new(record, None).to_json()
        };
        let end = RunRecord::of(&start, &[Outcome::Pass; 2], 1.0);
        [json::to_string(&start), pair(0), pair(1), json::to_string(&end)]
    }

    /// What is made of a folder with a file of each of these texts.
    fn read(flags: &str, files: &[String]) -> Joined {
        let folder = tempfile::tempdir().unwrap();
        for (number, text) in files.iter().enumerate() {
            fs::write(folder.path().join(format!("{number}.jsonl")), format!("{text}\n")).unwrap();
        }
        let [flag, rest] = flags.split_once(' ').map_or([flags, ""], |(flag, rest)| [flag, rest]);
        read_back(&config(&format!("{flag} {} {rest}", folder.path().display())), &TARGET).unwrap()
    }

    #[test]
    fn what_was_strict_stays_strict() {
        for flag in ["--replay", "--merge"] {
            let [strict, plain] = ["--strict", ""].map(|line| lines(line).join("\n"));
            assert!(read(flag, &[plain.clone(), strict]).start.strict, "{flag}");
            assert!(!read(flag, std::slice::from_ref(&plain)).start.strict, "{flag}");
            assert!(read(&format!("{flag} --strict"), &[plain]).start.strict, "{flag}");
        }
    }

    #[test]
    fn a_part_that_is_missing_is_told_and_an_error_of_a_strict_merge() {
        let [start, a, b, end] = lines("");
        let part = [&start, &a, &end].map(String::as_str).join("\n");
        let told = "1 of 2 gated pairs of my_package::sorting are here".to_owned();
        let merged = read("--merge", std::slice::from_ref(&part));
        assert!(merged.notes.contains(&format!("note: {told}")), "{:?}", merged.notes);
        assert_eq!(merged.problems, [""; 0]);
        let strict = read("--merge --strict", std::slice::from_ref(&part));
        assert_eq!(strict.problems, [told]);
        let other = [&start, &b, &end].map(String::as_str).join("\n");
        let whole = read("--merge --strict", &[part, other]);
        assert_eq!((whole.notes.len(), whole.problems.len()), (1, 0), "{whole:?}");
    }

    #[test]
    fn a_replay_names_the_pairs_that_are_there_twice() {
        let [start, a, b, end] = lines("");
        let whole = [&start, &a, &b, &end].map(String::as_str).join("\n");
        let part = [&start, &b, &end].map(String::as_str).join("\n");
        let once = read("--replay", std::slice::from_ref(&whole));
        assert!(!once.notes.iter().any(|note| note.contains("times")), "{:?}", once.notes);
        let twice = read("--replay", &[whole, part]).notes.pop().unwrap();
        assert!(twice.starts_with("warning: my_package::sorting::b is stored 2 times, in /"), "{twice}");
        assert!(twice.contains("0.jsonl and in /") && twice.contains("1.jsonl; --merge joins"), "{twice}");
    }

    #[test]
    fn records_whose_run_did_not_end_are_a_problem() {
        let [_, a, b, end] = lines("");
        let merged = |lines: &[&String]| {
            let lines: Vec<&str> = lines.iter().map(|line| line.as_str()).collect();
            read("--merge", &[lines.join("\n")]).problems
        };
        assert_eq!(merged(&[&a, &b, &end]), [""; 0]);
        let problems = merged(&[&a, &b]);
        assert!(
            problems.len() == 1 && problems[0].contains("the line of the run is missing"),
            "{problems:?}"
        );
    }
}
