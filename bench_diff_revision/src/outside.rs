//! Folders outside of the repository on which its packages depend: both sides are built with what is there
//! now.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::git::{Git, GitError};
use super::manifest::{MANIFEST, outer_paths};
use bench_diff_system::text::few;

/// The most folders that a line names.
const NAMED: usize = 3;

/// A line about the folders to which manifests of the working tree lead, if there are any besides the folder
/// of the harness.
///
/// # Errors
///
/// If git does not list the manifests.
pub(super) fn line(git: &Git, harness: &Path) -> Result<Option<String>, GitError> {
    let mut folders = BTreeSet::new();
    for file in git.paths(&["ls-files", "-z", "--", &format!("*{MANIFEST}")])? {
        let path = git.top.join(file);
        let manifest = fs::read_to_string(&path).unwrap_or_default();
        folders.extend(outer_paths(&manifest, &path.with_file_name(""), &git.top));
    }
    // A harness by its path is part of what measures.
    let is_harness = |folder: &PathBuf| folder.parent() == harness.parent();
    let folders: Vec<String> = folders
        .into_iter()
        .filter(|folder| !is_harness(folder))
        .map(|folder| folder.display().to_string())
        .collect();
    Ok((!folders.is_empty()).then(|| {
        format!("outside of the repository, so both sides have it as it is now: {}", few(&folders, NAMED))
    }))
}
