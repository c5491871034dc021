//! The messages between the process of a run and the processes that it starts.
//!
//! For each process, the run makes a folder with a request file. The process reads this file, removes it,
//! and appends its answer to a second file: a line when it begins a pair, and a line with what it found. A
//! process that lists the pairs writes a line for each attribute. Standard input and output belong to the
//! functions.

mod answer;
mod request;

pub(super) use self::answer::{AnswerReader, AnswerWriter, Line, ListedRecord};
pub(super) use self::request::{CostsRequest, PairRequest, Request, RoundRequest, StartRequest};
