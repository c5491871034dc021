//! The answer of a process, line by line, and the pairs that it lists.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process;

use bench_diff_report::record::GateKind;
use bench_diff_system::json;
use bench_diff_system::lifeline;

use crate::plan::{ListedPair, Names, OtherPair, PairKey, digest};
use crate::register::{Case, PairEntry};
use crate::run::fault::Fault;
use crate::run::one_pair::Finding;
use crate::settings::ManifestSettings;

/// The file of an answer, in the folder of its request.
const ANSWER: &str = "answer";

/// A line of an answer. As text, it consists of the kind of the line, and JSON.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::run) enum Line {
    /// The process is about to call the next pair of the request. It has printed this many bytes.
    Begun { printed: u64 },
    /// The finding on this pair.
    Found(Box<Finding>),
    /// The reason why there is no finding.
    Failed(String),
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
            Self::Begun { printed } => ("begun", json::to_string(printed)),
            Self::Found(finding) => ("found", json::to_string(finding)),
            Self::Failed(reason) => ("failed", json::to_string(reason)),
            Self::Attributes(count) => ("attributes", json::to_string(count)),
            Self::Pairs(pairs) => ("pairs", json::to_string(pairs)),
            Self::End => ("end", json::to_string(&())),
        };
        format!("{kind} {value}")
    }

    fn read(text: &str) -> Result<Self, String> {
        let (kind, value) = text.split_once(' ').unwrap_or((text, ""));
        match kind {
            "begun" => json::from_str(value).map(|printed| Self::Begun { printed }),
            "found" => json::from_str(value).map(Self::Found),
            "failed" => json::from_str(value).map(Self::Failed),
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
    /// The process that got the request.
    process: u32,
}

impl AnswerWriter {
    /// Writes next to the request.
    pub(in crate::run) fn to(request: &Path) -> Self {
        Self { path: request.with_file_name(ANSWER), process: process::id() }
    }

    /// Adds a line. The file is opened for each line, since a function may close open files.
    pub(in crate::run) fn emit(&self, line: &Line) -> io::Result<()> {
        lifeline::end_copy_of(self.process);
        let text = line.text() + "\n";
        OpenOptions::new().append(true).open(&self.path)?.write_all(text.as_bytes())
    }
}

/// Reads an answer while it is written.
pub(in crate::run) struct AnswerReader {
    file: BufReader<File>,
    /// The beginning of an incomplete line.
    rest: Vec<u8>,
}

impl AnswerReader {
    /// Makes the file of the answer to the request in this file.
    pub(in crate::run) fn to(request: &Path) -> io::Result<Self> {
        let path = request.with_file_name(ANSWER);
        let file = OpenOptions::new().read(true).append(true).create_new(true).open(path)?;
        Ok(Self { file: BufReader::new(file), rest: Vec::new() })
    }

    /// The next line; `None` if it is not complete yet.
    pub(in crate::run) fn line(&mut self) -> Option<Result<Line, Fault>> {
        let line = match self.file.read_until(b'\n', &mut self.rest) {
            Ok(_) => Line::read(&String::from_utf8_lossy(self.rest.strip_suffix(b"\n")?)),
            Err(error) => Err(error.to_string()),
        };
        self.rest.clear();
        Some(line.map_err(|why| Fault::Outside(format!("what it found cannot be read: {why}"))))
    }

    /// The end of this process, explained: if it exited in the middle of a line, it could not write it.
    pub(in crate::run) fn explained(&self, end: Result<(), Fault>) -> Result<(), Fault> {
        match end {
            Err(Fault::Exited(_)) if !self.rest.is_empty() => Err(Fault::Outside(
                "what it found breaks off, as if the folder for temporary files were full".to_owned(),
            )),
            end => end,
        }
    }
}

/// The facts about a pair that do not follow from its attribute alone.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(in crate::run) struct ListedRecord {
    pub(in crate::run) name: String,
    /// The name without the number that distinguishes it from equal names.
    pub(in crate::run) label: String,
    /// True if a front end names it.
    is_named_by_front_end: bool,
    threads: usize,
    /// The gate for its arg and its margin, if the gate depends on the arg.
    gate: Option<(GateKind, f64)>,
    /// The reason why the pair cannot be measured, if it cannot.
    unmeasurable: Option<String>,
    /// True if it stands for pairs that could not be listed.
    pub(in crate::run) is_unlisted: bool,
}

impl ListedRecord {
    pub(in crate::run) fn new(entry: &PairEntry, case: &Case) -> Self {
        Self {
            name: case.name.clone(),
            label: case.label.clone(),
            is_named_by_front_end: case.body.is_some() || entry.may_share_names,
            threads: case.threads,
            gate: case.gate.and_then(GateKind::of),
            unmeasurable: case.unmeasurable.clone(),
            is_unlisted: case.is_unlisted,
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

    /// The listed pair with this key, given its attribute, and with a name that no other pair has.
    pub(in crate::run) fn of(
        self,
        key: PairKey,
        entry: &PairEntry,
        name: String,
        manifest: &ManifestSettings,
    ) -> ListedPair {
        let gate = self.gate.map(|(kind, margin)| kind.with(margin));
        let of_manifest = manifest.of(&name);
        ListedPair {
            key,
            name,
            label: self.label,
            threads: self.threads,
            unmeasurable: self.unmeasurable,
            is_unlisted: self.is_unlisted,
            ..ListedPair::new(entry, self.name, gate, &of_manifest)
        }
    }

    /// The same for a binary that may be the old side's.
    ///
    /// # Errors
    ///
    /// Why the pairs that it stands for could not be listed.
    pub(in crate::run) fn of_other(self, key: PairKey) -> Result<OtherPair, String> {
        let Self { name, label, unmeasurable, is_unlisted, .. } = self;
        match unmeasurable {
            Some(reason) if is_unlisted => Err(format!("`{name}`: {reason}")),
            unmeasurable => Ok(OtherPair { name, label, key, unmeasurable }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_answer_that_breaks_off_is_not_the_function_s_own_end() {
        let folder = tempfile::tempdir().unwrap();
        let mut reader = AnswerReader::to(&folder.path().join("request")).unwrap();
        let exited = || Err(Fault::Exited(3));
        assert_eq!(reader.explained(exited()), exited());
        fs::write(folder.path().join(ANSWER), "found {").unwrap();
        assert_eq!(reader.line(), None);
        assert!(reader.explained(exited()).is_err_and(|fault| !fault.is_own_end()));
        assert_eq!(reader.explained(Ok(())), Ok(()));
    }

    #[test]
    fn a_line_that_cannot_be_read_is_an_error_and_half_of_one_is_awaited() {
        let folder = tempfile::tempdir().unwrap();
        let mut reader = AnswerReader::to(&folder.path().join("request")).unwrap();
        fs::write(folder.path().join(ANSWER), "end null\nbegun x\nbegun 1").unwrap();
        assert_eq!(reader.line(), Some(Ok(Line::End)));
        assert!(reader.line().unwrap().is_err());
        assert_eq!(reader.line(), None);
    }
}
