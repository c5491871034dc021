//! The files of a revision, which git writes below the target directory.
//!
//! The tree has its own index. `read-tree -u` applies filters, links, executable bits and sparse patterns as
//! in any checkout, restores files that were edited or removed, and leaves the times of all others, so that
//! cargo does not compile them again. (`checkout-index` would write the files that a sparse checkout leaves
//! out.)

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bench_diff_system::file_lock::open;
use bench_diff_system::files::{cannot, make_folder};
use bench_diff_system::input;
use bench_diff_system::order::sort_by_key;
use bench_diff_system::text::counted;

use super::edits::{Former, undo};
use super::git::{self, Git, GitError};
use super::repository;
use super::revision::Revision;

/// The index of a tree, next to those of its submodules.
const INDEX: &str = "modules/index";

/// The file in a folder that every user of the folder locks.
const IN_USE: &str = "in_use";

/// The pathspec for files that may be mere pointers.
const OF_LFS: &str = ":(attr:filter=lfs)";

/// The number of trees whose folders stay for the next run.
const STAYING: usize = 2;

/// A tree to compare with, and the folder where it is built.
#[derive(Debug)]
pub struct Checkout {
    /// The root of the tree.
    pub tree: PathBuf,
    /// The folder for everything built from the tree; for a revision, it contains the tree as well.
    pub folder: PathBuf,
    /// The repository of a revision; `None` for a folder of the user, which is never changed.
    pub git: Option<Git>,
    /// The files of the tree that the run before had written.
    pub(super) former: Vec<Former>,
    /// Locked while this process uses the folder.
    _in_use: File,
}

impl Checkout {
    /// The files of this revision, in a folder below `against`, without what an earlier run wrote over them.
    ///
    /// # Errors
    ///
    /// If something is missing; the text contains the command that fetches it.
    pub fn of(git: Git, revision: &Revision, against: &Path) -> Result<Self, String> {
        let folder = folder_in(against, &revision.tree, ());
        let (tree, in_use) = (folder.join("tree"), in_use(&folder)?);
        let former = undo(&folder, &tree);
        write_tree(&git, &revision.id, &tree, &folder.join("modules"))
            .map_err(|error| revision.maybe_promised(&git, error))?;
        Ok(Self { tree, folder, git: Some(git), former, _in_use: in_use })
    }

    /// The files in a folder of the user, which are built in the way of this digest below `against`.
    ///
    /// # Errors
    ///
    /// If the folder for the build cannot be made.
    pub fn elsewhere(tree: &Path, against: &Path, way: Option<u64>) -> Result<Self, String> {
        let folder = folder_in(against, "folder", (tree, way));
        let in_use = in_use(&folder)?;
        Ok(Self { tree: tree.to_owned(), folder, git: None, former: Vec::new(), _in_use: in_use })
    }

    /// The files of a revision that match this pathspec; none of a folder of the user.
    ///
    /// # Errors
    ///
    /// If git does not list them.
    pub fn files(&self, pattern: &str) -> Result<Vec<String>, GitError> {
        let Some(git) = &self.git else { return Ok(Vec::new()) };
        let mut list = git.call(&self.tree, &["ls-files", "-z", "--", pattern]);
        let listed = git::run(list.env("GIT_INDEX_FILE", self.folder.join(INDEX)))?;
        Ok(listed.split_terminator('\0').map(str::to_owned).collect())
    }

    /// The files whose content differs in the working tree, including new files; `None` if git fails.
    pub fn changed_files(&self, revision: &Revision) -> Option<Vec<String>> {
        let git = self.git.as_ref()?;
        let differ =
            ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=none"];
        let mut files = git.paths(&[&differ[..], &[&revision.tree]].concat()).ok()?;
        files.extend(git.paths(&["ls-files", "-z", "--others", "--exclude-standard"]).ok()?);
        files.extend(git.changed_but_marked().ok()?);
        files.extend(self.files(OF_LFS).ok()?);
        Some(files)
    }

    /// A note on files of which the tree has only pointers, since their content is stored elsewhere.
    pub fn note(&self) -> Option<String> {
        let count = self.files(OF_LFS).ok()?.len();
        (count > 0).then(|| {
            let files = counted(count, "file");
            format!(
                "the old revision has only Git LFS pointers for {files}: a function that reads one fails or \
                 does different work"
            )
        })
    }
}

/// The folder for what is built from a tree with this name and content. It is also named after its place:
/// programs know the absolute paths of their sources and objects, and cargo does not build them again if the
/// folder was moved.
fn folder_in(against: &Path, name: &str, content: impl Hash) -> PathBuf {
    let mut digest = DefaultHasher::new();
    (against, content).hash(&mut digest);
    against.join(format!("{name}-{:016x}", digest.finish()))
}

/// Marks a folder as used by this process, at this time.
fn in_use(folder: &Path) -> Result<File, String> {
    let file = fs::create_dir_all(folder).and_then(|()| open(&folder.join(IN_USE)));
    let locked = file.and_then(|file| {
        file.lock_shared()?;
        file.set_modified(SystemTime::now()).map(|()| file)
    });
    locked.map_err(|error| cannot("write to", folder, error))
}

/// Writes the tree of a commit and the trees of its submodules; their indexes go to `indexes`.
fn write_tree(git: &Git, commit: &str, to: &Path, indexes: &Path) -> Result<(), String> {
    make_folder(to)?;
    make_folder(indexes)?;
    let index = indexes.join("index");
    // A killed git may have left its lock, and no other process works here.
    let _ = fs::remove_file(indexes.join("index.lock"));
    let run = |arguments: &[&str]| git::run(git.call(to, arguments).env("GIT_INDEX_FILE", &index));
    run(&["read-tree", "--reset", "-u", commit])?;
    run(&["clean", "-ffdq"])?;
    repository::give(to, git, commit, &index)?;
    for entry in run(&["ls-files", "--stage", "-z"])?.split_terminator('\0') {
        // `160000 ID 0<tab>PATH`
        let Some((stage, path)) = entry.strip_prefix("160000 ").and_then(|entry| entry.split_once('\t'))
        else {
            continue;
        };
        let pinned = stage.trim_end_matches(" 0");
        // A submodule that is not checked out in the working tree is not needed to build.
        let Some(module) = local_module(git, commit, path)? else { continue };
        module.ask(&["cat-file", "-e", &format!("{pinned}^{{commit}}")]).map_err(|_| {
            let top = module.top.display();
            format!("the submodule {path} lacks the commit of that revision: run `git -C {top} fetch origin {pinned}`")
        })?;
        write_tree(&module, pinned, &to.join(path), &indexes.join(path))?;
    }
    Ok(())
}

/// The clone of a submodule of this commit: in the working tree, or if it is no longer checked out, in git's
/// folder, where it has the name that `.gitmodules` gives it.
fn local_module(git: &Git, commit: &str, path: &str) -> Result<Option<Git>, GitError> {
    let top = git.top.join(path);
    // In an empty folder, git finds the surrounding repository.
    if let Some(module) = Git::of(&top).ok().filter(|module| module.top == top) {
        return Ok(Some(module));
    }
    let file = format!("{commit}:.gitmodules");
    let paths = ["config", "-z", "--blob", &file, "--get-regexp", r"^submodule\..*\.path$"];
    let paths = git.ask_for(&paths)?.unwrap_or_default();
    let name = paths.split_terminator('\0').find_map(|entry| {
        // `submodule.NAME.path`, a line break, and the path.
        let name = entry.strip_suffix(path)?.strip_suffix(".path\n")?;
        name.strip_prefix("submodule.")
    });
    let Some(name) = name else { return Ok(None) };
    let common = git.ask(&["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
    let folder = Path::new(&common).join("modules").join(name);
    Ok(folder.is_dir().then(|| Git { top: folder.clone(), folder }))
}

/// Removes the folders of other trees below `against`, except for the latest ones and those in use by another
/// run.
pub fn remove_former(against: &Path, own: &Path) {
    // Folders are renamed first, so that a killed process leaves no half-removed tree.
    let removed = against.join("removed");
    let _ = fs::remove_dir_all(&removed);
    let marks = input::entries(against).into_iter().map(|entry| entry.path().join(IN_USE));
    let mut marks: Vec<PathBuf> = marks.filter(|mark| mark.is_file()).collect();
    sort_by_key(&mut marks, |mark| fs::metadata(mark).and_then(|mark| mark.modified()).ok());
    let mut staying = vec![own];
    for folder in marks.iter().rev().filter_map(|mark| mark.parent()) {
        if staying.len() < STAYING && !staying.contains(&folder) {
            staying.push(folder);
        }
        let is_free = || open(&folder.join(IN_USE)).is_ok_and(|file| file.try_lock().is_ok());
        if !staying.contains(&folder) && is_free() && fs::rename(folder, &removed).is_ok() {
            let _ = fs::remove_dir_all(&removed);
        }
    }
}

/// A digest of the names, sizes and times of all files in a folder, except those that a build may write. If
/// somebody unpacks another version there and the files keep their old times, cargo does not notice the
/// change.
pub fn contents(folder: &Path) -> u64 {
    let mut digest = DefaultHasher::new();
    let mut entries = input::entries(folder);
    sort_by_key(&mut entries, fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let is_of_build = ["target", "Cargo.lock"].iter().any(|other| name == *other);
        let Ok(file) = entry.metadata() else { continue };
        if is_of_build || name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        name.hash(&mut digest);
        if file.is_dir() {
            contents(&entry.path()).hash(&mut digest);
        } else {
            (file.len(), file.modified().ok()).hash(&mut digest);
        }
    }
    digest.finish()
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
