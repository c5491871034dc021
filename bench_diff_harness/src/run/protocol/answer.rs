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

/// A line of an answer: one of these, besides the word.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(in crate::run) struct Line {
    /// First, so that whose line it is can be told before it is parsed.
    pub(in crate::run) word: String,
    /// The pair of this place in the request is going to be called; this many bytes were printed before.
    pub(in crate::run) begun: Option<(usize, u64)>,
    /// The finding on it, or the reason that there is none.
    pub(in crate::run) found: Option<(usize, Finding)>,
    pub(in crate::run) failed: Option<(usize, String)>,
    /// The number of attributes, before the pairs of any.
    pub(in crate::run) attributes: Option<usize>,
    /// The pairs of the next attribute.
    pub(in crate::run) pairs: Option<Vec<ListedRecord>>,
    /// Nothing more is to come.
    pub(in crate::run) end: Option<bool>,
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
        let mut text = json::to_string(&Line { word: self.word.clone(), ..line });
        text.push('\n');
        OpenOptions::new().append(true).open(&self.path)?.write_all(text.as_bytes())
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
        Ok(Self {
            file: BufReader::new(file),
            start: format!("{{\"word\":{},", json::to_string(word)),
            rest: Vec::new(),
        })
    }

    /// The next line; none where it is still to come.
    pub(in crate::run) fn line(&mut self) -> Option<Result<Line, String>> {
        let room = LONGEST_LINE + 1 - self.rest.len();
        if let Err(error) = (&mut self.file).take(room as u64).read_until(b'\n', &mut self.rest) {
            return Some(Err(error.to_string()));
        }
        let line = match self.rest.strip_suffix(b"\n") {
            Some(line) if line.starts_with(self.start.as_bytes()) => {
                json::from_str(&String::from_utf8_lossy(line))
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
