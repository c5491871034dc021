//! A round of a pair: the measurements of its processes.

use bench_diff_core::Recording;

use super::SCHEMA;
use super::kind::Kind;
use super::raw::RawRecord;

/// A line of a stored run: a pair in one round, on disk before the next round starts.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct RoundRecord {
    pub(crate) schema: u32,
    pub(crate) event: Kind,
    pub(crate) name: String,
    /// The number of the round of this pair, from 1; 0 is the binary as linked beside rounds in random
    /// layouts.
    pub(crate) round: usize,
    /// The binary that measured it, identified by its content. `None` for one in a random layout.
    pub(crate) program: Option<String>,
    /// The measurement of each of its processes.
    processes: Vec<RawRecord>,
}

impl RoundRecord {
    pub(crate) fn new(name: &str, round: usize, program: Option<&str>, recordings: &[Recording]) -> Self {
        Self {
            schema: SCHEMA,
            event: Kind::Round,
            name: name.to_owned(),
            round,
            program: program.map(str::to_owned),
            processes: recordings.iter().map(RawRecord::from).collect(),
        }
    }

    /// The recording of each of its processes.
    ///
    /// # Errors
    ///
    /// The defect of the line.
    pub(crate) fn recordings(&self) -> Result<Vec<Recording>, String> {
        if self.processes.is_empty() {
            return Err("a round without slots".to_owned());
        }
        self.processes.iter().map(RawRecord::recording).collect()
    }
}
