//! The answer of a process, line by line, and the pairs that it lists.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use bench_diff_report::record::GateKind;
use bench_diff_system::json;
use bench_diff_system::lifeline;

use super::Request;
use crate::plan::{ListedPair, Names, OtherPair, PairKey, digest};
use crate::register::{Case, PairEntry};
use crate::run::fault::Fault;
use crate::run::one_pair::Finding;
use crate::settings::ManifestSettings;

/// The longest line of an answer that is read, in bytes. It is enough for a pair of some million slots.
const LONGEST_LINE: usize = 256 << 20;

/// The file of an answer, in the folder of its request.
const ANSWER: &str = "answer";

/// A line of an answer. As text, it consists of the word of the process, the kind of the line, and JSON.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::run) enum Line {
    /// The process is about to call the pair with this index in the request. It has printed this many bytes.
    Begun { pair: usize, printed: u64 },
    /// The finding on a pair.
    Found { pair: usize, finding: Box<Finding> },
    /// The reason why there is no finding.
    Failed { pair: usize, failed: String },
    /// The number of attributes. It comes before any pairs.
    Attributes(usize),
    /// The pairs of the next attribute.
    Pairs(Vec<ListedRecord>),
    /// The end of the answer.
    End,
}

impl Line {
    fn text(&self) -> String {
        let (kind, value) = match self {
            Self::Begun { pair, printed } => ("begun", json::to_string(&(pair, printed))),
            Self::Found { pair, finding } => ("found", json::to_string(&(pair, finding))),
            Self::Failed { pair, failed } => ("failed", json::to_string(&(pair, failed))),
            Self::Attributes(count) => ("attributes", json::to_string(count)),
            Self::Pairs(pairs) => ("pairs", json::to_string(pairs)),
            Self::End => ("end", json::to_string(&())),
        };
        format!("{kind} {value}")
    }

    fn read(text: &str) -> Result<Self, String> {
        let (kind, value) = text.split_once(' ').unwrap_or((text, ""));
        match kind {
            "begun" => json::from_str(value).map(|(pair, printed)| Self::Begun { pair, printed }),
            "found" => json::from_str(value).map(|(pair, finding)| Self::Found { pair, finding }),
            "failed" => json::from_str(value).map(|(pair, failed)| Self::Failed { pair, failed }),
            "attributes" => json::from_str(value).map(Self::Attributes),
            "pairs" => json::from_str(value).map(Self::Pairs),
            "end" => Ok(Self::End),
            _ => Err("it has a line of an unknown kind".to_owned()),
        }
    }
}

/// The destination of the answer to a request.
pub(in crate::run) struct AnswerWriter {
    path: PathBuf,
    word: String,
    /// The process that got the request.
    process: u32,
}

impl AnswerWriter {
    /// Writes next to the request.
    pub(in crate::run) fn to(path: &Path, request: &Request) -> Self {
        Self { path: path.with_file_name(ANSWER), word: request.word.clone(), process: process::id() }
    }

    /// Adds a line. The file is opened for each line, since a function may close open files.
    pub(in crate::run) fn emit(&self, line: &Line) -> io::Result<()> {
        lifeline::end_copy_of(self.process);
        let text = format!("{} {}\n", self.word, line.text());
        OpenOptions::new().append(true).open(&self.path)?.write_all(text.as_bytes())
    }
}

/// Reads an answer while it is written.
pub(in crate::run) struct AnswerReader {
    file: BufReader<File>,
    /// The word of the process, with which each line begins.
    start: String,
    /// The beginning of an incomplete line.
    rest: Vec<u8>,
}

impl AnswerReader {
    /// Makes the file of the answer to the request in this file.
    pub(in crate::run) fn to(request: &Path, word: &str) -> io::Result<Self> {
        let path = request.with_file_name(ANSWER);
        let file = OpenOptions::new().read(true).append(true).create_new(true).open(path)?;
        Ok(Self { file: BufReader::new(file), start: format!("{word} "), rest: Vec::new() })
    }

    /// The next line; `None` if it is not complete yet.
    pub(in crate::run) fn line(&mut self) -> Option<Result<Line, Fault>> {
        let room = LONGEST_LINE + 1 - self.rest.len();
        if let Err(error) = (&mut self.file).take(room as u64).read_until(b'\n', &mut self.rest) {
            return Some(Err(Fault::Unreadable(error.to_string())));
        }
        let line = match self.rest.strip_suffix(b"\n") {
            Some(line) => match line.strip_prefix(self.start.as_bytes()) {
                Some(line) => Line::read(&String::from_utf8_lossy(line)),
                None => Err("it is not of this process".to_owned()),
            },
            None if self.rest.len() > LONGEST_LINE => {
                Err(format!("it has a line of more than {} MiB", LONGEST_LINE >> 20))
            }
            None => return None,
        };
        self.rest.clear();
        Some(line.map_err(Fault::Unreadable))
    }

    /// The end of this process, explained: if it exited in the middle of a line, it could not write it.
    pub(in crate::run) fn explained(&self, end: Result<(), Fault>) -> Result<(), Fault> {
        match end {
            Err(Fault::Exited(_)) if !self.rest.is_empty() => Err(Fault::Unreadable(
                "it breaks off, as if the folder for temporary files were full".to_owned(),
            )),
            end => end,
        }
    }
}

/// The facts about a pair that do not follow from its attribute alone.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(in crate::run) struct ListedRecord {
    name: String,
    /// The name without the number that distinguishes it from equal names.
    label: String,
    /// True if a front end names it.
    is_named_by_front_end: bool,
    threads: usize,
    /// The gate for its arg, if the gate depends on the arg.
    gate: Option<GateKind>,
    margin: Option<f64>,
    /// The reason why the pair cannot be measured, if it cannot.
    unmeasurable: Option<String>,
}

impl ListedRecord {
    pub(in crate::run) fn new(entry: &PairEntry, case: &Case) -> Self {
        Self {
            name: case.name.clone(),
            label: case.label.clone(),
            is_named_by_front_end: case.body.is_some() || entry.may_share_names,
            threads: case.threads,
            gate: case.gate.and_then(GateKind::of),
            margin: case.gate.and_then(bench_diff_core::Gate::margin),
            unmeasurable: case.unmeasurable.clone(),
        }
    }

    /// These pairs of an attribute, given its position, each with its key.
    pub(in crate::run) fn with_keys(
        attribute: usize,
        records: Vec<Self>,
    ) -> impl Iterator<Item = (PairKey, Self)> {
        let named = records.iter().filter(|record| record.is_named_by_front_end);
        let names = Names::of(named.map(|record| &*record.name));
        let keyed = move |(index, record): (usize, Self)| {
            (PairKey { attribute, name: digest(&record.name), index, names }, record)
        };
        records.into_iter().enumerate().map(keyed)
    }

    /// The listed pair with this key, given its attribute.
    pub(in crate::run) fn of(
        self,
        key: PairKey,
        entry: &PairEntry,
        manifest: &ManifestSettings,
    ) -> ListedPair {
        let gate = self.gate.zip(self.margin).map(|(kind, margin)| kind.with(margin));
        ListedPair {
            key,
            label: self.label,
            threads: self.threads,
            unmeasurable: self.unmeasurable,
            ..ListedPair::new(entry, self.name, gate, manifest)
        }
    }

    /// The same for a binary that may be the old side's.
    pub(in crate::run) fn of_other(self, key: PairKey) -> OtherPair {
        let Self { name, label, unmeasurable, .. } = self;
        OtherPair { name, label, key, unmeasurable }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_process_that_exits_amid_a_line_could_not_write_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut reader = AnswerReader::to(&folder.path().join("request"), "word").unwrap();
        let exited = || Err(Fault::Exited(3));
        assert_eq!(reader.explained(exited()), exited());
        fs::write(folder.path().join(ANSWER), "word found 1 {").unwrap();
        assert!(reader.line().is_none());
        let Err(Fault::Unreadable(why)) = reader.explained(exited()) else { panic!("not explained") };
        assert!(why.starts_with("it breaks off, as if "), "{why}");
        assert_eq!(reader.explained(Ok(())), Ok(()));
    }
}
