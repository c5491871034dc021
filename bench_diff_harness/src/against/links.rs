//! The other paths of changed files: functions may name a file by a symbolic link to it, or to its folder.

use std::fs;
use std::path::Path;

use super::git::{Git, GitError};
use super::manifest::resolved;
use crate::system::files::slashed;

/// The paths by which the links of the working tree lead to these files.
///
/// # Errors
///
/// If git does not list its files.
pub(super) fn to(files: &[String], git: &Git) -> Result<Vec<String>, GitError> {
    let mut paths = Vec::new();
    for entry in git.paths(&["ls-files", "--stage", "-z"])? {
        // `120000 ID 0<tab>PATH`
        let Some((_, link)) = entry.strip_prefix("120000 ").and_then(|entry| entry.split_once('\t')) else {
            continue;
        };
        let Ok(target) = fs::read_link(git.top.join(link)) else { continue };
        let target = resolved(&Path::new(link).with_file_name("").join(target));
        let behind = files.iter().filter_map(|file| Path::new(file).strip_prefix(&target).ok());
        paths
            .extend(behind.map(|rest| slashed(&Path::new(link).join(rest)).trim_end_matches('/').to_owned()));
    }
    Ok(paths)
}
