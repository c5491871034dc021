//! What is told of: a run of one bench target.

use std::path::PathBuf;

use crate::settings::{Config, FilePath, Target, paths};

/// What reports need to know of a run, besides its records.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) package: String,
    pub(crate) bench: String,
    /// The root of the package, where paths begin.
    pub(crate) root: PathBuf,
    /// Where binaries leave a note for each other.
    pub(crate) note: Option<PathBuf>,
    /// Pairs that the filters left in, and out.
    pub(crate) selected: usize,
    pub(crate) filtered_out: usize,
    /// The files that it was read from, where it was not measured.
    pub(crate) inputs: Vec<PathBuf>,
    /// The file that it is stored in, where it is.
    pub(crate) stored: Option<PathBuf>,
}

impl Subject {
    pub(crate) fn new(selected: usize, filtered_out: usize, target: &Target, config: &Config) -> Self {
        Self {
            package: target.package.to_owned(),
            bench: target.bench(),
            root: paths::root(config, target),
            note: note(config, target),
            selected,
            filtered_out,
            inputs: Vec::new(),
            stored: None,
        }
    }

    /// Where a report goes.
    pub(super) fn path_of(&self, given: &FilePath) -> PathBuf {
        self.root.join(given.filled(&self.package, &self.bench))
    }
}

/// The note, below the target directory.
fn note(config: &Config, target: &Target) -> Option<PathBuf> {
    Some(paths::target_directory(config, target)?.join("bench_diff").join(".reports"))
}
