//! A round of a pair: what one process measured of it.

use super::SCHEMA;
use super::json::Word;
use super::kind::Kind;
use super::raw::RawRecord;

/// A line of a stored run: a pair in one round, on disk before the next round starts.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct RoundRecord {
    pub(crate) schema: u32,
    pub(crate) event: Word<Kind>,
    pub(crate) name: String,
    /// Which one of this pair, from 1; 0 is the program as linked beside rounds in random layouts.
    pub(crate) round: usize,
    /// The program that measured it: a name for its content. None of one in a random layout.
    pub(crate) program: Option<String>,
    pub(crate) raw: RawRecord,
}

impl RoundRecord {
    pub(crate) fn new(name: &str, round: usize, program: Option<&str>, raw: RawRecord) -> Self {
        Self {
            schema: SCHEMA,
            event: Word(Kind::Round),
            name: name.to_owned(),
            round,
            program: program.map(str::to_owned),
            raw,
        }
    }
}
