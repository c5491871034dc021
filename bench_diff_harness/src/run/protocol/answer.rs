//! The answer of a process, line by line.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use super::{ListedRecord, Request};
use crate::record::json;
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

/// All that a line may hold, one of it besides the word.
#[derive(Default, miniserde::Deserialize, miniserde::Serialize)]
struct LineRecord {
    /// First, so that whose line it is can be told before it is parsed.
    word: String,
    /// A pair, and the bytes of output before it.
    begun: Option<(usize, u64)>,
    found: Option<(usize, Finding)>,
    failed: Option<(usize, String)>,
    attributes: Option<usize>,
    pairs: Option<Vec<ListedRecord>>,
    end: Option<bool>,
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
        let record = LineRecord { word: word.to_owned(), ..LineRecord::default() };
        match self {
            Self::End => LineRecord { end: Some(true), ..record },
            Self::Attributes { count } => LineRecord { attributes: Some(count), ..record },
            Self::Listed { pairs } => LineRecord { pairs: Some(pairs), ..record },
            Self::Begun { pair, printed } => LineRecord { begun: Some((pair, printed)), ..record },
            Self::Found { pair, found } => match *found {
                Ok(finding) => LineRecord { found: Some((pair, finding)), ..record },
                Err(reason) => LineRecord { failed: Some((pair, reason)), ..record },
            },
        }
    }

    /// The beginning of each line of the process with this word.
    fn start(word: &str) -> String {
        format!("{{\"word\":{},", json::to_string(word))
    }

    fn read(text: &str) -> Result<Self, String> {
        let LineRecord { begun, found, failed, attributes, pairs, end, word: _ } = json::from_str(text)?;
        match (begun, found, failed, attributes, pairs, end) {
            (Some((pair, printed)), ..) => Ok(Self::Begun { pair, printed }),
            (_, Some((pair, finding)), ..) => Ok(Self::Found { pair, found: Box::new(Ok(finding)) }),
            (_, _, Some((pair, reason)), ..) => Ok(Self::Found { pair, found: Box::new(Err(reason)) }),
            (.., Some(count), _, _) => Ok(Self::Attributes { count }),
            (.., Some(pairs), _) => Ok(Self::Listed { pairs }),
            (.., Some(_)) => Ok(Self::End),
            _ => Err("it says nothing that is known".to_owned()),
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
