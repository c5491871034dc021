//! What the process of a run and the process of a round say to each other.
//!
//! The one writes a request into a file, the other reads it, takes the file away, and adds a line to a second
//! file whenever it begins a pair and whenever it has found something of it. Standard input and output belong
//! to the functions. Each line has the word of this process, which no output has by chance.

mod answer;
mod request;

pub(super) use self::answer::{Answer, Line, Listener};
pub(super) use self::request::{CostsRequest, PairRequest, Request, StartRequest};
