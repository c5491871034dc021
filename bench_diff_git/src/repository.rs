//! A repository in the tree of a revision, for build scripts that call git.
//!
//! Its HEAD is the commit, and its tags, objects and settings come from the user's repository. A build script
//! can only write to this one. Files that did not change keep their time, so that
//! `rerun-if-changed=.git/HEAD` does not trigger build scripts.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use bench_diff_system::files::{cannot, slashed};
use bench_diff_system::json;

use super::git::Git;

const FOLDER: &str = ".git";

/// The length of a SHA-1 id.
const SHA_1: usize = 40;

/// Gives a tree a repository at this commit, with this index.
///
/// # Errors
///
/// If it cannot be written, or the user's repository cannot be read.
pub(super) fn give(tree: &Path, git: &Git, commit: &str, index: &Path) -> Result<(), String> {
    let common = git.top.join(git.ask(&["rev-parse", "--git-common-dir"])?);
    let tags = git.ask(&["for-each-ref", "--format=%(objectname) %(refname)", "refs/tags"])?;
    let text = |path: &str| fs::read_to_string(common.join(path)).unwrap_or_default();
    let (own_format, format) =
        if commit.len() == SHA_1 { (0, "") } else { (1, "[extensions]\n\tobjectFormat = sha256\n") };
    let [user, worktree] = [&common.join("config"), tree].map(|path| json::to_string(&slashed(path)));
    let config = format!(
        "[include]\n\tpath = {user}\n{format}[core]\n\trepositoryFormatVersion = {own_format}\n\tbare = false\n\t\
         worktree = {worktree}\n\tfsmonitor = false\n"
    );
    let own = tree.join(FOLDER);
    let files = [
        ("config", config),
        ("HEAD", format!("{commit}\n")),
        ("packed-refs", tags.lines().map(|line| format!("{line}\n")).collect()),
        ("objects/info/alternates", format!("{}\n", slashed(&common.join("objects")))),
        // The history of a shallow clone ends at these commits.
        ("shallow", text("shallow")),
        // A tree without a lock file gets one.
        ("info/exclude", text("info/exclude") + "\nCargo.lock\n"),
    ];
    let write = || {
        fs::create_dir_all(own.join("refs"))?;
        files.iter().try_for_each(|(name, text)| put(&own.join(name), text))?;
        // A killed build script may have left its lock.
        let _ = fs::remove_file(own.join("index.lock"));
        fs::copy(index, own.join("index"))?;
        set_time(&own)
    };
    write().map_err(|error: io::Error| cannot("write to", &own, error))
}

/// Makes git regard a file of the tree as unchanged, whatever its content.
pub(super) fn hide(tree: &Path, file: &Path) {
    let own = Git { folder: tree.join(FOLDER), top: tree.to_owned() };
    // If the file is not in the index, `info/exclude` hides it.
    let _ = own.ask(&["update-index", "--assume-unchanged", "--", &slashed(file)]);
    let _ = set_time(&own.folder);
}

/// Writes a file, unless it already has this text. An empty text removes the file.
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

/// Always gives the index the same time. (Git treats this time as unknown, so no file looks newer than the
/// index.)
fn set_time(repository: &Path) -> io::Result<()> {
    let index = File::options().write(true).open(repository.join("index"))?;
    index.set_modified(SystemTime::UNIX_EPOCH)
}
