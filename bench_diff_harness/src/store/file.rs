//! Files of records, read again: stored runs, and what `--json` wrote.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::name::EXTENSION;
use crate::json;
use crate::record::{PairRecord, PlannedRecord, RunRecord, SCHEMA, StartRecord, StoredPair};

/// A run as a file has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FiledRun {
    pub(super) path: PathBuf,
    /// None of a run that `--json` wrote.
    pub(super) start: Option<StartRecord>,
    pub(super) pairs: Vec<FiledPair>,
    /// None of a run that did not end.
    pub(super) end: Option<RunRecord>,
}

/// A pair, and the line where it stands, from 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FiledPair {
    pub(super) line: usize,
    pub(super) pair: StoredPair,
}

/// The runs of a file, as far as it is whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Contents {
    pub(super) runs: Vec<FiledRun>,
    /// The line in the middle of which it ends.
    pub(super) torn: Option<usize>,
}

impl FiledRun {
    fn new(path: &Path, start: Option<StartRecord>) -> Self {
        Self { path: path.to_owned(), start, pairs: Vec::new(), end: None }
    }

    /// The names of the planned pairs of a run that did not end before it had come to them.
    pub(super) fn missing(&self) -> Vec<&str> {
        let Some(start) = self.start.as_ref().filter(|_| self.end.is_none()) else { return Vec::new() };
        // A set, of the one kind of map that everything here is compiled for.
        let mut there: HashMap<&str, usize> = HashMap::new();
        for pair in &self.pairs {
            there.insert(&pair.record().name, pair.line);
        }
        let mut missing = Vec::new();
        for PlannedRecord { name, .. } in &start.pairs {
            if !there.contains_key(name.as_str()) {
                missing.push(name.as_str());
            }
        }
        missing
    }
}

/// A pair of one of several runs.
pub(super) struct FoundPair<'a> {
    pub(super) run: &'a FiledRun,
    pub(super) pair: &'a FiledPair,
    /// Which bench it is of: its package and its bench.
    pub(super) bench: String,
    /// Which pair it is: its bench and its name.
    pub(super) name: String,
}

/// The starts of these runs, as far as they are there.
pub(super) fn starts_of(runs: &[FiledRun]) -> Vec<&StartRecord> {
    let mut starts = Vec::new();
    for run in runs {
        starts.extend(&run.start);
    }
    starts
}

/// The pairs of all these runs.
pub(super) fn pairs_of(runs: &[FiledRun]) -> Vec<FoundPair<'_>> {
    let mut found = Vec::new();
    for run in runs {
        for pair in &run.pairs {
            let PairRecord { package, bench, name, .. } = pair.record();
            let bench = full_name(package, bench);
            found.push(FoundPair { run, pair, name: full_name(&bench, name), bench });
        }
    }
    found
}

/// A bench within its package, or a pair within its bench. The names of packages and benches have no colons.
pub(super) fn full_name(within: &str, name: &str) -> String {
    format!("{within}::{name}")
}

impl FiledPair {
    pub(super) fn record(&self) -> &PairRecord {
        &self.pair.record
    }
}

impl Contents {
    pub(super) fn pairs(&self) -> usize {
        let mut pairs = 0;
        for run in &self.runs {
            pairs += run.pairs.len();
        }
        pairs
    }
}

/// What all lines have.
#[derive(miniserde::Deserialize)]
struct Head {
    event: Option<String>,
    schema: Option<u32>,
}

enum Line {
    Start(StartRecord),
    Pair(Box<StoredPair>),
    Run(RunRecord),
}

/// Reads a file of records.
///
/// # Errors
///
/// What is wrong with it, and where.
pub(super) fn read(path: &Path) -> Result<Contents, String> {
    let bytes = fs::read(path).map_err(|error| cannot_read(path, &error))?;
    let whole = bytes.ends_with(b"\n");
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let mut contents = Contents::default();
    if bytes.is_empty() {
        return Err(format!("{}: not a stored run of bench_diff: it is empty", path.display()));
    }
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let last = lines.len();
    for (index, line) in lines.into_iter().enumerate() {
        let number = index + 1;
        match parse(line) {
            Ok(line) => add(&mut contents.runs, path, number, line),
            // What is foreign from its first byte on was not torn.
            Err(_) if number == last && !whole && (number > 1 || line.starts_with(b"{\"schema\":")) => {
                contents.torn = Some(number);
            }
            Err(reason) => return Err(format!("{}, line {number}: {reason}", path.display())),
        }
    }
    Ok(contents)
}

fn parse(line: &[u8]) -> Result<Line, String> {
    let foreign = |reason: String| format!("not a stored run of bench_diff: {reason}");
    let line = str::from_utf8(line).map_err(|error| foreign(error.to_string()))?;
    let Head { event, schema } = json::from_str(line).map_err(foreign)?;
    if let Some(schema) = schema.filter(|schema| *schema != SCHEMA) {
        return Err(format!(
            "schema {schema}, and this version reads {SCHEMA}: use the version that wrote it"
        ));
    }
    let line = match event.as_deref() {
        Some("start") => json::from_str(line).map(Line::Start),
        Some("pair") => StoredPair::from_json(line).map(Box::new).map(Line::Pair),
        Some("run") => json::from_str(line).map(Line::Run),
        Some(event) => Err(format!("the event '{event}' is unknown")),
        None => Err("it has no `event`".to_owned()),
    };
    line.map_err(foreign)
}

fn add(runs: &mut Vec<FiledRun>, path: &Path, number: usize, line: Line) {
    if let Line::Start(start) = line {
        runs.push(FiledRun::new(path, Some(start)));
        return;
    }
    if runs.last().is_none_or(|run| run.end.is_some()) {
        runs.push(FiledRun::new(path, None));
    }
    let Some(run) = runs.last_mut() else { return };
    match line {
        Line::Start(_) => {}
        Line::Pair(pair) => run.pairs.push(FiledPair { line: number, pair: *pair }),
        Line::Run(end) => run.end = Some(end),
    }
}

/// The file itself, or every `.jsonl` file below a folder, in the order of their paths.
///
/// # Errors
///
/// What cannot be read, or that there is nothing.
pub(super) fn files(path: &Path) -> Result<Vec<PathBuf>, String> {
    let is_folder = fs::metadata(path).map_err(|error| cannot_read(path, &error))?.is_dir();
    if !is_folder {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    collect(path, &mut files)?;
    if files.is_empty() {
        return Err(format!("no stored run below {}: there is no .jsonl file", path.display()));
    }
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(|error| cannot_read(folder, &error))? {
        let entry = entry.map_err(|error| cannot_read(folder, &error))?;
        let path = entry.path();
        // A symbolic link to a folder could lead back to where it is.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == EXTENSION) {
            let place = files.partition_point(|other| *other < path);
            files.insert(place, path);
        }
    }
    Ok(())
}

fn cannot_read(path: &Path, error: &io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::machine::Machine;
    use crate::record::Outcome;

    /// The lines of a run of two pairs.
    fn lines() -> [String; 4] {
        let plan = planned("", &[entry("a", 1, equal), entry("b", 2, equal)]);
        let start = StartRecord::of(&plan, &Machine::default());
        let pair = |index: usize| {
            let record = PairRecord::unmeasured(&plan, &plan.pairs[index], Outcome::Error, None);
            StoredPair::new(record, None).to_json()
        };
        let end = RunRecord::of(&start, &[Outcome::Error; 2], 1.0);
        [json::to_string(&start), pair(0), pair(1), json::to_string(&end)]
    }

    fn contents(text: &str) -> Result<Contents, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        fs::write(&path, text).unwrap();
        read(&path).map_err(|error| error.replace(&path.display().to_string(), "FILE"))
    }

    fn names(run: &FiledRun) -> Vec<&str> {
        run.pairs.iter().map(|pair| pair.record().name.as_str()).collect()
    }

    #[test]
    fn a_whole_run() {
        let contents = contents(&(lines().join("\n") + "\n")).unwrap();
        let [run] = &contents.runs[..] else { panic!("{contents:?}") };
        assert_eq!((names(run), contents.torn, contents.pairs()), (vec!["a", "b"], None, 2));
        assert_eq!((run.pairs[0].line, run.pairs[1].line), (2, 3));
        assert!(run.start.is_some() && run.end.is_some() && run.missing().is_empty());
    }

    #[test]
    fn a_run_that_did_not_end() {
        let contents = contents(&(lines()[..2].join("\n") + "\n")).unwrap();
        assert_eq!(contents.runs[0].missing(), ["b"]);
        assert_eq!(contents.torn, None);
    }

    #[test]
    fn a_file_that_ends_in_the_middle_of_a_line_is_read_up_to_there() {
        let text = lines().join("\n");
        let start_of_last_pair = text.len() - lines()[3].len() - 1 - lines()[2].len();
        for (end, torn, pairs) in
            [(start_of_last_pair + 9, Some(3), 1), (text.len() - 1, Some(4), 2), (text.len(), None, 2)]
        {
            let contents = contents(&text[..end]).unwrap();
            assert_eq!((contents.torn, contents.pairs()), (torn, pairs), "{end}");
        }
        assert_eq!(contents(&text[..20]).unwrap(), Contents { runs: Vec::new(), torn: Some(1) });
    }

    #[test]
    fn several_runs_in_one_file_and_records_without_a_start() {
        let [start, a, b, end] = lines();
        let text = [&start, &a, &end, &b, &end, &start, &b].map(String::as_str).join("\n") + "\n";
        let runs = contents(&text).unwrap().runs;
        assert_eq!(runs.iter().map(names).collect::<Vec<_>>(), [["a"], ["b"], ["b"]]);
        assert!(runs[1].start.is_none() && runs[1].end.is_some() && runs[1].missing().is_empty());
        assert_eq!(runs[2].missing(), ["a"]);
    }

    #[test]
    fn what_is_foreign_is_refused() {
        let [start, a, ..] = lines();
        for (text, expected) in [
            ("", "FILE: not a stored run of bench_diff: it is empty"),
            ("\n", "FILE: not a stored run of bench_diff: it is empty"),
            ("hello", "FILE, line 1: not a stored run of bench_diff: expected a value at column 1"),
            ("{\"a\":1}\n", "FILE, line 1: not a stored run of bench_diff: it has no `event`"),
            (
                "{\"event\":\"end\"}\n",
                "FILE, line 1: not a stored run of bench_diff: the event 'end' is unknown",
            ),
            (&format!("{start}\n\n{a}\n"), "FILE, line 2: not a stored run of bench_diff: "),
            (
                &format!("{start}\n{}\n{a}\n", &a[..50]),
                "FILE, line 2: not a stored run of bench_diff: it ends where",
            ),
            (
                &format!("{start}\n{}\n", a.replace("\"outcome\":\"error\"", "\"outcome\":\"odd\"")),
                "FILE, line 2: not a stored run of bench_diff: `outcome` cannot be \"odd\"",
            ),
        ] {
            let error = contents(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn another_schema_is_left_to_its_version() {
        let newer = lines()[0].replace("\"schema\":1", "\"schema\":2") + "\n";
        assert_eq!(
            contents(&newer).unwrap_err(),
            "FILE, line 1: schema 2, and this version reads 1: use the version that wrote it"
        );
    }

    #[test]
    fn a_field_that_is_not_known_is_no_other_schema() {
        let more = lines().map(|line| line.replacen('{', "{\"more\":[1],", 1)).join("\n") + "\n";
        assert_eq!(contents(&more).unwrap().pairs(), 2);
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
