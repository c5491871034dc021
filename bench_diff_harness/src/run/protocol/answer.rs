//! The answer of a process, line by line.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use super::{ListedRecord, Request};
use crate::call::allocations::Allocations;
use crate::call::probe::Check;
use crate::call::work::Work;
use crate::record::{RawRecord, json};
use crate::run::one_pair::Finding;
use crate::system::lifeline;

/// The longest line of an answer that is read, in bytes: a pair of some million slots.
const LONGEST_LINE: usize = 256 << 20;

/// The file of an answer, in the folder of its request.
const ANSWER: &str = "answer";

/// A line of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::run) enum Line {
    /// The pair of this place in the request is going to be called; this many bytes were printed before.
    Begun { pair: usize, printed: u64 },
    /// The finding on it, or the reason that there is none.
    Found { pair: usize, found: Box<Result<Finding, String>> },
    /// Nothing more is to come.
    End,
    /// The number of attributes, before the pairs of any.
    Attributes { count: usize },
    /// The pairs of the next attribute.
    Listed { pairs: Vec<ListedRecord> },
}

/// All that a line may hold.
#[derive(Default, miniserde::Deserialize, miniserde::Serialize)]
struct LineRecord {
    /// First, so that whose line it is can be told before it is parsed.
    word: String,
    event: String,
    pair: Option<usize>,
    /// The bytes of output before it.
    printed: Option<u64>,
    check: Option<Check>,
    entries: Option<(i64, i64)>,
    roots: Option<(i64, i64)>,
    allocations: Option<Allocations>,
    work: Option<Work>,
    raw: Option<RawRecord>,
    call_notes: Option<Vec<String>>,
    reason: Option<String>,
    attributes: Option<usize>,
    pairs: Option<Vec<ListedRecord>>,
}

/// The destination of the answer to a request.
pub(in crate::run) struct AnswerWriter {
    path: PathBuf,
    word: String,
    /// The process that was asked.
    process: u32,
}

impl AnswerWriter {
    /// Beside the request.
    pub(in crate::run) fn to(path: &Path, request: &Request) -> Self {
        Self { path: path.with_file_name(ANSWER), word: request.word.clone(), process: process::id() }
    }

    /// Adds a line. The file is opened for it, since a function may close what is open.
    pub(in crate::run) fn emit(&self, line: Line) -> io::Result<()> {
        lifeline::end_copy_of(self.process);
        let mut text = json::to_string(&line.record(&self.word));
        text.push('\n');
        OpenOptions::new().append(true).open(&self.path)?.write_all(text.as_bytes())
    }
}

impl Line {
    fn record(self, word: &str) -> LineRecord {
        let mut record =
            LineRecord { word: word.to_owned(), event: "end".to_owned(), ..LineRecord::default() };
        match self {
            Self::End => {}
            Self::Attributes { count } => {
                record.event = "attributes".to_owned();
                record.attributes = Some(count);
            }
            Self::Listed { pairs } => {
                record.event = "listed".to_owned();
                record.pairs = Some(pairs);
            }
            Self::Begun { pair, printed } => {
                record.event = "begun".to_owned();
                record.pair = Some(pair);
                record.printed = Some(printed);
            }
            Self::Found { pair, found } => {
                record.event = "found".to_owned();
                record.pair = Some(pair);
                match *found {
                    Ok(Finding { check, entries, roots, work, allocations, recording, call_notes }) => {
                        record.check = Some(check);
                        record.entries = entries.map(Into::into);
                        record.roots = roots.map(Into::into);
                        record.work = Some(work);
                        record.allocations = allocations;
                        record.raw = recording.as_ref().map(RawRecord::from);
                        record.call_notes = Some(call_notes);
                    }
                    Err(reason) => record.reason = Some(reason),
                }
            }
        }
        record
    }

    /// The beginning of each line of the process with this word.
    fn start(word: &str) -> String {
        format!("{{\"word\":{},", json::to_string(word))
    }

    fn read(text: &str) -> Result<Self, String> {
        let record: LineRecord = json::from_str(text)?;
        let pair = || record.pair.ok_or_else(|| "it names no pair".to_owned());
        match record.event.as_str() {
            "end" => Ok(Self::End),
            "attributes" => Ok(Self::Attributes { count: record.attributes.unwrap_or_default() }),
            "listed" => Ok(Self::Listed { pairs: record.pairs.unwrap_or_default() }),
            "begun" => Ok(Self::Begun { pair: pair()?, printed: record.printed.unwrap_or_default() }),
            "found" => {
                let found = match (record.reason, record.check) {
                    (Some(reason), _) => Err(reason),
                    (None, None) => return Err("it neither has a check nor a reason".to_owned()),
                    (None, Some(check)) => Ok(Finding {
                        check,
                        entries: record.entries.map(Into::into),
                        roots: record.roots.map(Into::into),
                        allocations: record.allocations,
                        work: record.work.unwrap_or_default(),
                        recording: record.raw.map(|raw| raw.recording()).transpose()?,
                        call_notes: record.call_notes.unwrap_or_default(),
                    }),
                };
                Ok(Self::Found { pair: pair()?, found: Box::new(found) })
            }
            event => Err(format!("the event '{event}' is unknown")),
        }
    }
}

/// Reads an answer while it is written.
pub(in crate::run) struct AnswerReader {
    file: BufReader<File>,
    /// The beginning of each line.
    start: String,
    /// The beginning of a line whose end is still to come.
    rest: Vec<u8>,
}

impl AnswerReader {
    /// Makes the file of the answer to the request in this file.
    pub(in crate::run) fn to(request: &Path, word: &str) -> io::Result<Self> {
        let path = request.with_file_name(ANSWER);
        let file = OpenOptions::new().read(true).append(true).create_new(true).open(path)?;
        Ok(Self { file: BufReader::new(file), start: Line::start(word), rest: Vec::new() })
    }

    /// The next line; none where it is still to come.
    pub(in crate::run) fn line(&mut self) -> Option<Result<Line, String>> {
        let room = LONGEST_LINE + 1 - self.rest.len();
        if let Err(error) = (&mut self.file).take(room as u64).read_until(b'\n', &mut self.rest) {
            return Some(Err(error.to_string()));
        }
        let line = match self.rest.strip_suffix(b"\n") {
            Some(line) if line.starts_with(self.start.as_bytes()) => {
                Line::read(&String::from_utf8_lossy(line))
            }
            Some(_) => Err("it is not of this process".to_owned()),
            None if self.rest.len() > LONGEST_LINE => {
                Err(format!("it has a line of more than {} MiB", LONGEST_LINE >> 20))
            }
            None => return None,
        };
        self.rest.clear();
        Some(line)
    }
}
