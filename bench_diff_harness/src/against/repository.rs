//! A repository in the tree of a revision, for build scripts that ask git.
//!
//! Its HEAD is the commit, and its tags are those of the user's repository, from which it reads objects and
//! settings. Whatever a build script does there is written to this one. Files that did not change keep their
//! time, so `rerun-if-changed=.git/HEAD` runs nothing again.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::git::Git;
use crate::record::json;
use crate::system::text::cannot;

const FOLDER: &str = ".git";

/// The length of an id made by SHA-1.
const SHA_1: usize = 40;

/// Gives a tree a repository at this commit, with this index.
///
/// # Errors
///
/// If it cannot be written, or the user's cannot be read.
pub(super) fn give(tree: &Path, git: &Git, commit: &str, index: &Path) -> Result<(), String> {
    let common = git.top.join(git.ask(&["rev-parse", "--git-common-dir"])?);
    let tags = git.ask(&["for-each-ref", "--format=%(objectname) %(refname)", "refs/tags"])?;
    let text = |path: &str| fs::read_to_string(common.join(path)).unwrap_or_default();
    let (own_format, format) =
        if commit.len() == SHA_1 { (0, "") } else { (1, "[extensions]\n\tobjectFormat = sha256\n") };
    let [user, worktree] =
        [&common.join("config"), tree].map(|path| json::to_string(&path.display().to_string()));
    let config = format!(
        "[include]\n\tpath = {user}\n{format}[core]\n\trepositoryFormatVersion = {own_format}\n\tbare = false\n\t\
         worktree = {worktree}\n\tfsmonitor = false\n"
    );
    let own = tree.join(FOLDER);
    let files = [
        ("config", config),
        ("HEAD", format!("{commit}\n")),
        ("packed-refs", tags.lines().map(|line| format!("{line}\n")).collect()),
        ("objects/info/alternates", format!("{}\n", common.join("objects").display())),
        // A shallow clone ends there.
        ("shallow", text("shallow")),
        // A tree may have no lock file, and then it gets one.
        ("info/exclude", text("info/exclude") + "\nCargo.lock\n"),
    ];
    let write = || {
        fs::create_dir_all(own.join("refs"))?;
        files.iter().try_for_each(|(name, text)| put(&own.join(name), text))?;
        // A build script that was killed has left it.
        let _ = fs::remove_file(own.join("index.lock"));
        fs::copy(index, own.join("index"))?;
        set_time(&own)
    };
    write().map_err(|error: io::Error| cannot("write to", &own, error))
}

/// Has git take a file of the tree for unchanged, whatever it holds.
pub(super) fn hide(tree: &Path, file: &Path) {
    let own = Git { folder: tree.join(FOLDER), top: tree.to_owned() };
    // A file that is not in the index is hidden by the list of ignored ones.
    let _ = own.ask(&["update-index", "--assume-unchanged", "--", &file.display().to_string()]);
    let _ = set_time(&own.folder);
}

/// Writes a file, unless it holds this; nothing is no file.
pub(super) fn put(path: &Path, text: &str) -> io::Result<()> {
    if text.is_empty() {
        let _ = fs::remove_file(path);
        return Ok(());
    }
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::create_dir_all(path.with_file_name(""))?;
    fs::write(path, text)
}

/// Gives the index one time for good. (Git takes this one for no time, and so no file for younger.)
fn set_time(repository: &Path) -> io::Result<()> {
    let index = File::options().write(true).open(repository.join("index"))?;
    index.set_modified(SystemTime::UNIX_EPOCH)
}
