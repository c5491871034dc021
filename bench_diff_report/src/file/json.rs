//! The records of a run as JSON Lines, in the order in which pairs are decided.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bench_diff_system::json;
use bench_diff_system::replace::replace;

use crate::file::Destination;
use crate::record::Event;
use crate::sink::Sink;

/// The line that an event adds, with its line break.
pub(crate) fn line(event: &Event<'_>) -> String {
    let record = match event {
        Event::PairFinished { record, .. } => record.to_json(),
        Event::RunFinished(record) => json::to_string(*record),
        _ => return String::new(),
    };
    record + "\n"
}

/// The file of `--json`, which grows with every decided pair, so a run that is killed leaves what it had.
///
/// A run begins it anew when it starts, and one in which nothing is selected leaves it alone.
pub(crate) struct RecordFile {
    target: Target,
    /// True if the run has anything to record.
    has_content: bool,
}

enum Target {
    Stream(File),
    /// The file of this run. `None` until it has taken the place of the former one.
    File(PathBuf, Option<File>),
    /// The file that all processes of the nextest run with this id share.
    Shared(PathBuf, String),
}

impl RecordFile {
    pub(crate) fn new(destination: Destination, nextest_run: Option<&str>) -> Self {
        let target = match (destination, nextest_run) {
            (Destination::Stream(stream), _) => Target::Stream(stream),
            (Destination::File(path), None) => Target::File(path, None),
            (Destination::File(path), Some(run)) => Target::Shared(path, run.to_owned()),
        };
        Self { target, has_content: false }
    }
}

impl Sink for RecordFile {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        let lines = match event {
            Event::RunStarted(start) => {
                self.has_content = !start.pairs.is_empty() || start.against.is_some();
                String::new()
            }
            // It would be one for each function.
            Event::RunFinished(_) if matches!(self.target, Target::Shared(..)) => return Ok(()),
            Event::PairFinished { .. } | Event::RunFinished(_) => line(event),
            _ => return Ok(()),
        };
        if self.has_content { self.target.write(lines.as_bytes()) } else { Ok(()) }
    }
}

impl Target {
    /// Adds lines; the first call begins the file of this run.
    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        match self {
            Self::Stream(stream) => stream.write_all(lines),
            Self::File(path, file @ None) => {
                *file = Some(replace(path, lines).map_err(|error| {
                    io::Error::new(error.kind(), format!("{error}; what it holds is not of this run"))
                })?);
                Ok(())
            }
            Self::File(_, Some(file)) => add(file, lines),
            Self::Shared(path, run) => add_to_shared(path, run, lines),
        }
    }
}

/// Adds lines, or nothing at all.
fn add(file: &mut File, lines: &[u8]) -> io::Result<()> {
    let whole = file.metadata()?.len();
    file.write_all(lines).inspect_err(|_| _ = file.set_len(whole))
}

/// What the first line of a shared file says about it.
#[derive(miniserde::Deserialize)]
struct Head {
    nextest_run_id: Option<String>,
}

/// Adds lines to the file of a nextest run, which the first of its processes begins anew: the one that finds
/// lines of another run in it, or none. A line that a killed process has left incomplete is removed.
fn add_to_shared(path: &Path, run: &str, lines: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    file.lock()?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let head: Option<Head> = json::from_str(&String::from_utf8_lossy(first)).ok();
    let is_of_run = head.is_some_and(|head| head.nextest_run_id.as_deref() == Some(run));
    let last = text.iter().rposition(|byte| *byte == b'\n').filter(|_| is_of_run);
    let whole = last.map_or(0, |last| last as u64 + 1);
    file.set_len(whole)?;
    file.seek(SeekFrom::Start(whole))?;
    add(&mut file, lines)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use std::{fs, thread};

    use super::*;
    use crate::fixture::{Planned, entry, planned};
    use crate::record::{Machine, Outcome, PairRecord, RunRecord};

    fn a_plan() -> Planned {
        planned("", &[entry("a", 1)])
    }

    fn in_file(path: &Path) -> RecordFile {
        RecordFile::new(Destination::checked(path).unwrap(), None)
    }

    /// Emits a run with these outcomes to a file, and returns the events and the outcomes in it after each.
    fn run(file: &mut RecordFile, path: &Path, outcomes: &[Outcome]) -> Vec<String> {
        let plan = a_plan();
        let mut start = plan.started(Machine::default());
        start.pairs.truncate(outcomes.len());
        let mut seen = Vec::new();
        let mut emit = |event: &Event<'_>| {
            file.event(event).unwrap();
            seen.push(content(path));
        };
        emit(&Event::RunStarted(&start));
        let (ignored, measured): (Vec<Outcome>, _) =
            outcomes.iter().partition(|outcome| **outcome == Outcome::Ignored);
        let record = |outcome: Outcome| plan.pairs[0].ended(outcome, None);
        for outcome in ignored {
            emit(&Event::PairFinished { record: &record(outcome), rounds: &[] });
        }
        for outcome in measured {
            emit(&Event::RoundStarted { number: 1, open: 1, of: 1, left: None, elapsed: Duration::ZERO });
            emit(&Event::PairFinished { record: &record(outcome), rounds: &[] });
        }
        emit(&Event::RunFinished(&RunRecord::of(&start, outcomes, 1.0)));
        seen
    }

    /// The outcomes of the lines, and the events of lines without one; a text that is no record as it is.
    fn content(path: &Path) -> String {
        let text = fs::read_to_string(path).unwrap_or_default();
        let word = |line: &str| match serde_json::from_str::<serde_json::Value>(line) {
            Ok(line) => line["outcome"].as_str().or(line["event"].as_str()).unwrap().to_owned(),
            Err(_) => line.to_owned(),
        };
        text.lines().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_former_file_stays_until_a_run_starts_and_the_new_one_grows_with_each_pair() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        fs::write(&path, "former").unwrap();
        assert_eq!(run(&mut in_file(&path), &path, &[]), ["former"; 2], "nothing is selected");
        let seen = run(&mut in_file(&path), &path, &[Outcome::Ignored, Outcome::Pass, Outcome::Fail]);
        let [ignored, pass] = ["ignored", "ignored pass"];
        assert_eq!(seen, ["", ignored, ignored, pass, pass, "ignored pass fail", "ignored pass fail run"]);
        let seen = run(&mut in_file(&path), &path, &[Outcome::Ignored]);
        assert_eq!(seen.last().unwrap(), "ignored run", "it has no rounds");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn a_file_that_cannot_be_begun_is_said_to_be_of_another_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        let mut file = in_file(&path);
        // Blocks the rename.
        fs::create_dir(&path).unwrap();
        let start = a_plan().started(Machine::default());
        let error = file.event(&Event::RunStarted(&start)).unwrap_err().to_string();
        assert!(error.ends_with("; what it holds is not of this run"), "{error}");
    }

    #[test]
    fn the_first_process_of_a_nextest_run_begins_the_file_and_the_others_add_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = &folder.path().join("records.jsonl");
        let plan_of = |run: &str| {
            let mut plan = a_plan();
            plan.pairs[0].nextest_run_id = Some(run.to_owned());
            plan
        };
        let record = |plan: &Planned, name: &str| {
            let record = plan.pairs[0].ended(Outcome::Pass, None);
            PairRecord { name: name.to_owned(), ..record }
        };
        let line = |run: &str, name: &str| record(&plan_of(run), name).to_json() + "\n";
        let process = |run: &str, name: &str| {
            let plan = plan_of(run);
            let start = plan.started(Machine::default());
            let mut file = RecordFile::new(Destination::checked(path).unwrap(), Some(run));
            for event in [
                Event::RunStarted(&start),
                Event::PairFinished { record: &record(&plan, name), rounds: &[] },
                Event::RunFinished(&RunRecord::of(&start, &[Outcome::Pass], 1.0)),
            ] {
                file.event(&event).unwrap();
            }
        };
        let lines = |run: &str, names: &[&str]| names.iter().map(|name| line(run, name)).collect::<String>();
        let text = || fs::read_to_string(path).unwrap();
        fs::write(path, "of somebody else").unwrap();
        process("1", "a");
        process("1", "b");
        process("1", "a");
        assert_eq!(text(), lines("1", &["a", "b", "a"]), "a retry is behind the first attempt");
        process("2", "a");
        assert_eq!(text(), lines("2", &["a"]));

        // A process was killed while it wrote.
        let torn = line("2", "b");
        fs::write(path, lines("2", &["a"]) + &torn[..torn.len() / 2]).unwrap();
        process("2", "c");
        assert_eq!(text(), lines("2", &["a", "c"]));
        fs::write(path, &torn[..torn.len() / 2]).unwrap();
        process("2", "c");
        assert_eq!(text(), lines("2", &["c"]));

        let names: Vec<String> = (0..16).map(|number| format!("f{number}")).collect();
        thread::scope(|scope| {
            for name in &names {
                scope.spawn(|| process("3", name));
            }
        });
        let mut written: Vec<String> = text().lines().map(|line| format!("{line}\n")).collect();
        let mut expected: Vec<String> = names.iter().map(|name| line("3", name)).collect();
        written.sort();
        expected.sort();
        assert_eq!(written, expected);
    }

    #[test]
    fn a_process_that_starts_removes_what_a_former_run_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        fs::write(&path, "{\"nextest_run_id\":\"1\"}\n").unwrap();
        let mut file = RecordFile::new(Destination::checked(&path).unwrap(), Some("2"));
        file.event(&Event::RunStarted(&a_plan().started(Machine::default()))).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "", "though it may be killed before it has a record");
    }
}
