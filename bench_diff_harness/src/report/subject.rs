//! What is told of: a run of one bench target.

use std::path::{Path, PathBuf};

use super::file::notes_folder;
use crate::config::Files;
use crate::target::Target;

/// What reports need to know of a run, besides its records.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) package: String,
    pub(crate) bench: String,
    /// The root of the package, where paths begin.
    pub(crate) root: PathBuf,
    /// Where binaries leave notes for each other.
    pub(crate) notes: Option<PathBuf>,
    /// Pairs that the filters left in, and out.
    pub(crate) selected: usize,
    pub(crate) filtered_out: usize,
}

impl Subject {
    pub(crate) fn new(selected: usize, filtered_out: usize, target: &Target, files: &Files) -> Self {
        let told = files.package_root.clone().filter(|root| root.is_dir());
        Self {
            package: target.package.to_owned(),
            bench: target.bench(),
            root: told.unwrap_or_else(|| Path::new(target.manifest_dir).to_owned()),
            notes: notes_folder(target),
            selected,
            filtered_out,
        }
    }
}
