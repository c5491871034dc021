//! The run before this one, with which this one can be compared.

use std::collections::HashMap;

/// What the run before this one found; nothing where there was none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LastRun {
    /// In UTC, as RFC 3339 has it.
    pub(crate) started: Option<String>,
    /// The pairs that it measured, by their names.
    pub(crate) pairs: HashMap<String, LastPair>,
}

/// A pair of the run before this one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LastPair {
    pub(crate) ratio: f64,
    /// Whether it was measured in random layouts.
    pub(crate) in_layouts: bool,
}

/// How a pair had changed in the run before this one.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct LastChange {
    pub(crate) ratio: f64,
    pub(crate) started: Option<String>,
}

impl LastRun {
    /// How this pair had changed, where it was measured alike: the place of its code is a part of the ratio
    /// of a program as linked, and of no other.
    pub(crate) fn change(&self, name: &str, in_layouts: bool) -> Option<LastChange> {
        let pair = self.pairs.get(name).filter(|pair| pair.in_layouts == in_layouts)?;
        Some(LastChange { ratio: pair.ratio, started: self.started.clone() })
    }
}
