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

use super::git::{self, Git, GitError};
use super::manifest::{MANIFEST, excludes, is_workspace, with_outer_paths};
use super::repository;
use super::revision::Revision;
use crate::system::file_lock::open;
use crate::system::files::{FileError, cannot, make_folder};
use crate::system::input;
use crate::system::order::sort_by_key;
use crate::system::text::counted;

/// The index of a tree, next to those of its submodules.
const INDEX: &str = "modules/index";

/// The file in a folder that every user of the folder locks.
const IN_USE: &str = "in_use";

/// The pathspec for files that may be mere pointers.
const OF_LFS: &str = ":(attr:filter=lfs)";

/// The end of a manifest that was the implicit root of its workspace.
pub(super) const OWN_WORKSPACE: &str = "\n[workspace]\n";

/// In the name of a folder, this separates the tree from the digest of what is built otherwise.
const OTHER_WAY: char = '+';

/// The number of trees whose folders stay for the next run.
const STAYING: usize = 2;

/// A tree to compare with, and the folder where it is built.
pub(crate) struct Checkout {
    pub(super) tree: PathBuf,
    /// The folder for everything built from the tree; for a revision, it contains the tree as well.
    pub(super) folder: PathBuf,
    /// The repository of a revision; `None` for a folder of the user, which is never changed.
    pub(super) git: Option<Git>,
    /// Locked while this process uses the folder.
    _in_use: File,
}

impl Checkout {
    /// The files of this revision, in a folder below `against`. If `other_way` has the digest of copied
    /// benches or environment variables, it is part of the folder's name, so each build has its own folder.
    ///
    /// # Errors
    ///
    /// If something is missing; the text contains the command that fetches it.
    pub(super) fn of(
        git: Git,
        revision: &Revision,
        against: &Path,
        other_way: Option<u64>,
    ) -> Result<Self, String> {
        let other_way = other_way.map(|digest| format!("{OTHER_WAY}{digest:016x}")).unwrap_or_default();
        let folder = against.join(format!("{}{other_way}", revision.tree));
        let (tree, in_use) = (folder.join("tree"), in_use(&folder)?);
        write_tree(&git, &revision.id, &tree, &folder.join("modules"))
            .map_err(|error| revision.maybe_promised(&git, error))?;
        Ok(Self { tree, folder, git: Some(git), _in_use: in_use })
    }

    /// The files in a folder of the user, which are built in the way of this digest.
    pub(super) fn elsewhere(tree: &Path, against: &Path, way: Option<u64>) -> Result<Self, FileError> {
        let mut name = DefaultHasher::new();
        (tree, way).hash(&mut name);
        let folder = against.join(format!("folder-{:016x}", name.finish()));
        let in_use = in_use(&folder)?;
        Ok(Self { tree: tree.to_owned(), folder, git: None, _in_use: in_use })
    }

    /// The files of a revision that match this pathspec.
    pub(super) fn files(&self, pattern: &str) -> Result<Vec<String>, GitError> {
        let Some(git) = &self.git else { return Ok(Vec::new()) };
        let mut list = git.call(&self.tree, &["ls-files", "-z", "--", pattern]);
        let listed = git::run(list.env("GIT_INDEX_FILE", self.folder.join(INDEX)))?;
        Ok(listed.split_terminator('\0').map(str::to_owned).collect())
    }

    /// Adapts the manifests of a revision to their place below `top`, the working tree. `root` is the
    /// manifest of a workspace.
    pub(super) fn fit(&self, root: &Path, top: &Path) -> Result<(), String> {
        let text = |file: &Path| fs::read_to_string(self.tree.join(file)).ok();
        let root = root.strip_prefix(&self.tree).unwrap_or(root);
        let has_workspace = root.ancestors().skip(1).any(|folder| {
            let inside = root.strip_prefix(folder).unwrap_or(root);
            text(&folder.join(MANIFEST)).is_some_and(|text| is_workspace(&text) && !excludes(&text, inside))
        });
        for file in self.files(&format!("*{MANIFEST}"))?.iter().map(Path::new) {
            let Some(before) = text(file) else { continue };
            let mut after = with_outer_paths(&before, &top.join(file.parent().unwrap_or(file)), top);
            if file == root && !has_workspace {
                // Otherwise cargo would find the workspace of the working tree.
                after += OWN_WORKSPACE;
            }
            if after != before {
                self.edit(&self.tree.join(file), &after)?;
            }
        }
        Ok(())
    }

    /// Changes a file of a revision, or adds a file that a folder of the user lacks. The file always gets the
    /// same time, so that cargo compiles nothing again because of it.
    pub(super) fn edit(&self, file: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
        if self.git.is_none() && file.exists() {
            return Err(format!("{} would have to be changed: name a revision instead", file.display()));
        }
        // If the file is a symbolic link, its target may be outside the tree.
        let _ = fs::remove_file(file);
        let written = fs::create_dir_all(file.with_file_name("")).and_then(|()| fs::write(file, content));
        let written = written.and_then(|()| File::options().write(true).open(file));
        let written = written.and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH));
        if self.git.is_some() {
            repository::hide(&self.tree, file);
        }
        Ok(written.map_err(|error| cannot("write", file, error))?)
    }

    /// Removes a file of a revision, if it is there.
    pub(super) fn remove(&self, file: &Path) {
        if self.git.is_some() && fs::remove_file(file).is_ok() {
            repository::hide(&self.tree, file);
        }
    }

    /// The files whose content differs in the working tree, including new files; `None` if git fails.
    pub(super) fn changed_files(&self, revision: &Revision) -> Option<Vec<String>> {
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
    pub(crate) fn note(&self) -> Option<String> {
        let count = self.files(OF_LFS).ok()?.len();
        (count > 0).then(|| {
            let files = counted(count, "file");
            format!(
                "the old revision has only Git LFS pointers for {files}: a function that reads one fails or does different \
                 work"
            )
        })
    }
}

/// Marks a folder as used by this process, at this time.
fn in_use(folder: &Path) -> Result<File, FileError> {
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
    run(&["read-tree", "--reset", "-u", "--no-recurse-submodules", commit])?;
    // Ignored files stay, since they may come from a build script that does not run again. Lock files go:
    // they may have been made for another commit.
    run(&["clean", "-ffdq"])?;
    run(&["clean", "-ffdxq", "--", "*Cargo.lock"])?;
    repository::give(to, git, commit, &index)?;
    for entry in run(&["ls-files", "--stage", "-z"])?.split_terminator('\0') {
        // `160000 ID 0<tab>PATH`
        let Some((stage, path)) = entry.strip_prefix("160000 ").and_then(|entry| entry.split_once('\t'))
        else {
            continue;
        };
        let commit = stage.trim_end_matches(" 0");
        // A submodule that is not checked out in the working tree is not needed to build.
        let Some(module) = local_module(git, path)? else { continue };
        module.ask(&["cat-file", "-e", &format!("{commit}^{{commit}}")]).map_err(|_| {
            let top = module.top.display();
            format!("the submodule {path} lacks the commit of that revision: run `git -C {top} fetch origin {commit}`")
        })?;
        write_tree(&module, commit, &to.join(path), &indexes.join(path))?;
    }
    Ok(())
}

/// The clone of a submodule: in the working tree, or in git's folder if it is no longer checked out.
fn local_module(git: &Git, path: &str) -> Result<Option<Git>, GitError> {
    let top = git.top.join(path);
    // In an empty folder, git finds the surrounding repository.
    if let Some(module) = Git::of(&top).ok().filter(|module| module.top == top) {
        return Ok(Some(module));
    }
    let common = git.ask(&["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
    let folder = Path::new(&common).join("modules").join(path);
    Ok(folder.is_dir().then(|| Git { top: folder.clone(), folder }))
}

/// Removes the folders of other trees, except for the latest ones and those in use by another run.
pub(super) fn remove_former(against: &Path, own: &Path) {
    // Folders are renamed first, so that a killed process leaves no half-removed tree.
    let removed = against.join("removed");
    let _ = fs::remove_dir_all(&removed);
    let marks = input::entries(against).into_iter().map(|entry| entry.path().join(IN_USE));
    let mut marks: Vec<PathBuf> = marks.filter(|mark| mark.is_file()).collect();
    sort_by_key(&mut marks, |mark| fs::metadata(mark).and_then(|mark| mark.modified()).ok());
    let mut staying = vec![tree_of(own)];
    for folder in marks.iter().rev().filter_map(|mark| mark.parent()) {
        let tree = tree_of(folder);
        if staying.len() < STAYING && !staying.contains(&tree) {
            staying.push(tree);
        }
        let is_free = || open(&folder.join(IN_USE)).is_ok_and(|file| file.try_lock().is_ok());
        if !staying.contains(&tree) && is_free() && fs::rename(folder, &removed).is_ok() {
            let _ = fs::remove_dir_all(&removed);
        }
    }
}

/// The tree to which a folder belongs. Each way in which the tree is built has its own folder.
fn tree_of(folder: &Path) -> Option<&str> {
    let name = folder.file_name()?.to_str()?;
    Some(name.split_once(OTHER_WAY).map_or(name, |(tree, _)| tree))
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
