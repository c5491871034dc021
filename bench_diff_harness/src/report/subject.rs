//! The subject of reports: a run of one bench target.

use std::path::PathBuf;

use crate::settings::{Config, Target, paths};

/// The facts about a run that reports need besides its records.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) target: Target,
    /// The root of the package, to which paths are relative.
    pub(crate) root: PathBuf,
    /// The command that compares its functions with those of another revision, if it compares nothing itself.
    pub(crate) comparison: Option<String>,
}

impl Subject {
    pub(crate) fn new(target: &Target, config: &Config, comparison: Option<String>) -> Self {
        Self { target: *target, root: paths::root(config, target), comparison }
    }
}
