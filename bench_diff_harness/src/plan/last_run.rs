//! The previous run, with which this one can be compared.

use std::collections::HashMap;

/// The results of the previous run; empty if there was none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LastRun {
    /// The time in UTC, as in RFC 3339.
    pub(crate) started: Option<String>,
    /// The pairs that it measured, by name.
    pub(crate) pairs: HashMap<String, LastPair>,
}

/// A pair of the previous run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LastPair {
    pub(crate) ratio: f64,
    /// True if it was measured in random layouts.
    pub(crate) in_layouts: bool,
}

/// The change of a pair in the previous run.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct LastChange {
    pub(crate) ratio: f64,
    pub(crate) started: Option<String>,
}

impl LastRun {
    /// The change of this pair, if it was measured the same way: the ratio in a program as linked includes
    /// the place of the code, that in random layouts does not.
    pub(crate) fn change(&self, name: &str, in_layouts: bool) -> Option<LastChange> {
        let pair = self.pairs.get(name).filter(|pair| pair.in_layouts == in_layouts)?;
        Some(LastChange { ratio: pair.ratio, started: self.started.clone() })
    }
}
