//! The messages between the process of a run and those that it starts.
//!
//! The one writes a request into a file, the other reads it, takes the file away, and adds a line to a second
//! file whenever it begins a pair and whenever it has found something of it, or for the pairs of each
//! attribute. Standard input and output belong to the functions. Each line has the word of this process,
//! which no output has by chance.

mod answer;
mod listed;
mod request;

pub(super) use self::answer::{AnswerReader, AnswerWriter, Line};
pub(super) use self::listed::ListedRecord;
pub(super) use self::request::{
    CallsRequest, CostsRequest, PairRequest, Request, RoundRequest, StartRequest, TurnsRequest,
};
