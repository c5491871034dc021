//! The reader of files of records: stored runs, and the output of `--json`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::loaded::{Contents, LoadedRun};
use super::name::EXTENSION;
use super::verify;
use crate::record::{Kind, RoundRecord, SCHEMA, StartRecord, StoredPair, json};
use crate::system::files::{FileError, cannot};
use crate::system::input;
use crate::system::order::in_order;
use crate::system::text::counted;

/// The largest file that is read, in bytes: a run of some thousand pairs that all took their `max_time`.
const LARGEST: u64 = 4 << 30;

/// The fields that all lines have.
#[derive(miniserde::Deserialize)]
struct Head {
    event: Option<String>,
    schema: Option<u32>,
}

/// Reads a file of records, and checks that it is complete and consistent.
///
/// # Errors
///
/// The place and the reason of the first line that is no record.
pub(super) fn read(path: &Path) -> Result<Contents, String> {
    let bytes = input::read(path, LARGEST)?;
    let is_whole = bytes.ends_with(b"\n");
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    if bytes.is_empty() {
        return Err(format!("{} is empty: its run ended before its first record", path.display()));
    }
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let mut contents = Contents::default();
    for (index, bytes) in lines.iter().enumerate() {
        let number = index + 1;
        let Err(reason) = add(&mut contents.runs, path, bytes) else { continue };
        let is_torn = number == lines.len() && !is_whole;
        // A line that is foreign from its first byte on was not torn.
        if !(is_torn && (number > 1 || bytes.starts_with(b"{\"schema\":"))) {
            return Err(format!("{}, line {number}: {reason}", path.display()));
        }
        contents.problems.push(torn(path, number, &contents.runs));
    }
    contents.problems.extend(contents.runs.iter().flat_map(verify::problems));
    contents.runs.iter_mut().for_each(LoadedRun::sort);
    Ok(contents)
}

/// Adds what a line says to the last of these runs, or begins a new one.
fn add(runs: &mut Vec<LoadedRun>, path: &Path, line: &[u8]) -> Result<(), String> {
    let foreign = |reason: String| format!("not a stored run of bench_diff: {reason}");
    let line = str::from_utf8(line).map_err(|error| foreign(error.to_string()))?;
    let Head { event, schema } = json::from_str(line).map_err(foreign)?;
    if let Some(schema) = schema.filter(|schema| *schema != SCHEMA) {
        return Err(format!(
            "schema {schema}, and this version reads {SCHEMA}: use the version that wrote it"
        ));
    }
    match event.as_deref().ok_or_else(|| foreign("it has no `event`".to_owned()))? {
        "start" => {
            let start = Some(json::from_str(line).map_err(foreign)?);
            runs.push(LoadedRun { path: path.to_owned(), start, ..LoadedRun::default() });
        }
        "round" => {
            let round: RoundRecord = json::from_str(line).map_err(foreign)?;
            last(runs, path).open.entry(round.name.clone()).or_default().push(round);
        }
        "pair" => {
            let mut pair = StoredPair::from_json(line).map_err(foreign)?;
            let run = last(runs, path);
            pair.rounds = run.open.remove(&pair.record.name).unwrap_or_default();
            run.pairs.push(pair);
        }
        "run" => {
            let end = json::from_str(line).map_err(foreign)?;
            last(runs, path).end = Some(end);
        }
        event => return Err(foreign(format!("the event '{event}' is unknown"))),
    }
    Ok(())
}

/// The run that goes on: a new one after one that has ended.
fn last<'r>(runs: &'r mut Vec<LoadedRun>, path: &Path) -> &'r mut LoadedRun {
    if runs.last().is_none_or(|run| run.end.is_some()) {
        runs.push(LoadedRun { path: path.to_owned(), ..LoadedRun::default() });
    }
    let last = runs.len() - 1;
    &mut runs[last]
}

/// The problem of a file that ends in the middle of a line.
fn torn(path: &Path, line: usize, runs: &[LoadedRun]) -> String {
    let pairs: usize = runs.iter().map(|run| run.pairs.len()).sum();
    format!("{} ends in the middle of line {line}, after {}", path.display(), counted(pairs, "whole pair"))
}

/// The start of the stored run at the beginning of a file, if there is one.
pub(super) fn start_of(path: &Path) -> Option<StartRecord> {
    use io::BufRead;

    /// Enough for the names of a hundred thousand pairs.
    const LONGEST: u64 = 64 << 20;

    let mut line = String::new();
    let file = input::open(path).ok()?;
    io::BufReader::new(io::Read::take(file, LONGEST)).read_line(&mut line).ok()?;
    let start: StartRecord = json::from_str(line.trim_end()).ok()?;
    (start.event == Kind::Start).then_some(start)
}

/// Returns the file itself, or every `.jsonl` file below a folder, ordered by path.
///
/// # Errors
///
/// A file or folder cannot be read, or there are no files.
pub(super) fn files(path: &Path) -> Result<Vec<PathBuf>, String> {
    if !fs::metadata(path).map_err(|error| cannot("read", path, error))?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    collect(path, &mut files)?;
    if files.is_empty() {
        return Err(format!("no stored run below {}: there is no .jsonl file", path.display()));
    }
    Ok(in_order(files))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), FileError> {
    let cannot = |error| cannot("read", folder, error);
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let path = entry.path();
        // A symbolic link to a folder could be a cycle.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == EXTENSION) {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal};
    use crate::store::fixture::stored;

    /// The lines of a run of two pairs: its start, a round and the record of each, its end.
    fn lines() -> [String; 6] {
        stored("", &[entry("a", 1, equal), entry("b", 2, equal)]).try_into().unwrap()
    }

    fn contents(text: &str) -> Result<Contents, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        fs::write(&path, text).unwrap();
        let shown = |text: String| text.replace(&path.display().to_string(), "FILE");
        let Contents { runs, problems } = read(&path).map_err(shown)?;
        Ok(Contents { runs, problems: problems.into_iter().map(shown).collect() })
    }

    /// The problems of these lines.
    fn problems<'a>(lines: impl IntoIterator<Item = &'a String>) -> Vec<String> {
        let lines: Vec<&str> = lines.into_iter().map(String::as_str).collect();
        contents(&(lines.join("\n") + "\n")).unwrap().problems
    }

    fn names(run: &LoadedRun) -> Vec<&str> {
        run.pairs.iter().map(|pair| pair.record.name.as_str()).collect()
    }

    #[test]
    fn a_whole_run() {
        let Contents { runs, problems } = contents(&(lines().join("\n") + "\n")).unwrap();
        let [run] = &runs[..] else { panic!("{runs:?}") };
        assert_eq!((names(run), problems), (vec!["a", "b"], Vec::new()));
        assert_eq!(run.pairs.iter().map(|pair| pair.rounds.len()).collect::<Vec<_>>(), [1, 1]);
        assert!(run.open.is_empty());
        assert!(run.start.is_some() && run.end.is_some());
    }

    #[test]
    fn a_run_that_did_not_end_is_a_problem() {
        let lines = lines();
        for end in [3, 4] {
            let problems = problems(&lines[..end]);
            assert_eq!(problems, ["FILE: this run did not end, 1 of its 2 pairs are missing: `b`"]);
        }
        assert_eq!(
            problems(&lines[..5]),
            ["FILE: this run did not end, though all of its 2 pairs are in the file"]
        );
        assert_eq!(
            problems(&lines[1..5]),
            ["FILE: this run did not end: its last line is missing, so pairs may be missing"]
        );
    }

    #[test]
    fn a_file_that_ends_in_the_middle_of_a_line_is_read_up_to_there() {
        let text = lines().join("\n");
        let start_of_last_pair = text.len() - lines()[5].len() - 1 - lines()[4].len();
        for (end, torn, pairs) in [
            (start_of_last_pair + 9, "FILE ends in the middle of line 5, after 1 whole pair", 1),
            (text.len() - 1, "FILE ends in the middle of line 6, after 2 whole pairs", 2),
        ] {
            let contents = contents(&text[..end]).unwrap();
            assert_eq!((contents.problems[0].as_str(), contents.runs[0].pairs.len()), (torn, pairs), "{end}");
        }
        assert_eq!(contents(&text).unwrap().problems, [""; 0], "only its line feed is missing");
        let torn = "FILE ends in the middle of line 1, after 0 whole pairs".to_owned();
        assert_eq!(contents(&text[..20]).unwrap(), Contents { runs: Vec::new(), problems: vec![torn] });
    }

    #[test]
    fn several_runs_in_one_file_and_records_without_a_start() {
        let [start, round_a, a, round_b, b, end] = &lines();
        let in_order = [round_a, a, round_b, b, end];
        let without_start = in_order;
        let decided_otherwise = [start, round_a, round_b, b, a, end];
        let all = [start].into_iter().chain(in_order).chain(without_start).chain(decided_otherwise);
        let text = all.map(|line| format!("{line}\n")).collect::<String>();
        let Contents { runs, problems } = contents(&text).unwrap();
        assert_eq!(runs.iter().map(names).collect::<Vec<_>>(), [["a", "b"]; 3]);
        assert!(runs[1].start.is_none() && runs[1].end.is_some());
        assert_eq!(problems, [""; 0]);
    }

    #[test]
    fn no_line_can_vanish_or_come_twice() {
        let [start, round_a, a, round_b, b, end] = &lines();
        for (lines, expected) in [
            (vec![start, round_b, b, end], "its last line says 2 passed, and its records are 1"),
            (vec![start, round_a, a, b, end], "a plan without slots"),
            (
                vec![start, round_a, a, a, round_b, b, end],
                "its last line says 2 passed, and its records are 3",
            ),
            (vec![b, end], "its last line says 2 passed, and its records are 1"),
        ] {
            let problems = problems(lines).join("\n");
            assert!(problems.contains(expected), "{problems}");
        }
    }

    #[test]
    fn what_is_foreign_is_refused() {
        let [start, _, a, ..] = lines();
        for (text, expected) in [
            ("", "FILE is empty: its run ended before its first record"),
            ("\n", "FILE is empty: its run ended before its first record"),
            ("hello", "FILE, line 1: not a stored run of bench_diff: unexpected JSON at column 1"),
            ("{\"a\":1}\n", "FILE, line 1: not a stored run of bench_diff: it has no `event`"),
            (
                "{\"event\":\"end\"}\n",
                "FILE, line 1: not a stored run of bench_diff: the event 'end' is unknown",
            ),
            (&format!("{start}\n\n{a}\n"), "FILE, line 2: not a stored run of bench_diff: "),
            (
                &format!("{start}\n{}\n{a}\n", &a[..50]),
                "FILE, line 2: not a stored run of bench_diff: unexpected JSON at column 51",
            ),
            (
                &format!("{start}\n{}\n", a.replace("\"outcome\":\"pass\"", "\"outcome\":\"odd\"")),
                "FILE, line 2: not a stored run of bench_diff: unexpected JSON at column ",
            ),
        ] {
            let error = contents(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn another_schema_is_left_to_its_version() {
        let newer = lines()[0].replace("\"schema\":2", "\"schema\":3") + "\n";
        assert_eq!(
            contents(&newer).unwrap_err(),
            "FILE, line 1: schema 3, and this version reads 2: use the version that wrote it"
        );
    }

    #[test]
    fn a_field_that_is_not_known_is_no_other_schema() {
        let more = lines().map(|line| line.replacen('{', "{\"more\":[1],", 1));
        let contents = contents(&(more.join("\n") + "\n")).unwrap();
        assert_eq!((names(&contents.runs[0]), contents.problems), (vec!["a", "b"], Vec::new()));
    }

    #[test]
    fn the_files_of_a_folder_are_those_below_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert!(files(root).unwrap_err().starts_with("no stored run below "));
        fs::create_dir_all(root.join("b/c")).unwrap();
        for file in ["z.jsonl", "b/c/run.jsonl", "b/notes.txt", "b/.run-1.part"] {
            fs::write(root.join(file), "").unwrap();
        }
        assert_eq!(files(root).unwrap(), [root.join("b/c/run.jsonl"), root.join("z.jsonl")]);
        assert_eq!(files(&root.join("b/notes.txt")).unwrap(), [root.join("b/notes.txt")], "as it was named");
        assert!(files(&root.join("absent")).unwrap_err().starts_with("cannot read "));
    }
}
