//! The messages between the process of a run and the processes that it starts.
//!
//! The run writes a request into a file, in a folder of its own. The process takes it, and adds lines to a
//! second file: one whenever it begins a pair and whenever it has a finding on the pair, or one with the
//! pairs of each attribute. Standard input and output belong to the functions.

mod answer;
mod request;

pub(super) use self::answer::{AnswerReader, AnswerWriter, Line, ListedRecord};
pub(super) use self::request::{CostsRequest, PairRequest, Request, RoundRequest, StartRequest};
