//! The subject of reports: a run of one bench target.

use std::path::PathBuf;

use crate::settings::{Config, FilePath, Target, paths};

/// The facts about a run that reports need besides its records.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) package: String,
    pub(crate) bench: String,
    /// The root of the package, to which paths are relative.
    pub(crate) root: PathBuf,
    /// The files that it was read from, if it was not measured.
    pub(crate) inputs: Vec<PathBuf>,
    /// The file that it is stored in, if any.
    pub(crate) stored: Option<PathBuf>,
    /// The command that compares its functions with those of another revision, if it compares nothing itself.
    pub(crate) comparison: Option<String>,
}

impl Subject {
    pub(crate) fn new(target: &Target, config: &Config) -> Self {
        Self {
            package: target.package.to_owned(),
            bench: target.bench(),
            root: paths::root(config, target),
            inputs: Vec::new(),
            stored: None,
            comparison: None,
        }
    }

    /// The path of a report.
    pub(super) fn path_of(&self, given: &FilePath) -> PathBuf {
        self.root.join(given.filled(&self.package, &self.bench))
    }
}
