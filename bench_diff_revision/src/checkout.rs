//! The files of a revision, which git writes below the target directory.
//!
//! The tree has its own index. `read-tree -u` applies filters, links, executable bits and sparse patterns as
//! in any checkout, restores files that were edited or removed, and leaves the times of all others, so that
//! cargo does not compile them again. (`checkout-index` would write the files that a sparse checkout leaves
//! out.)

use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::git::{self, Git, GitError};
use super::manifest::{MANIFEST, excludes, is_workspace, with_outer_paths};
use super::repository;
use super::revision::Revision;
use bench_diff_system::file_lock::open;
use bench_diff_system::files::{FileError, cannot, make_folder};
use bench_diff_system::input;
use bench_diff_system::order::sort_by_key;
use bench_diff_system::text::counted;

/// The index of a tree, next to those of its submodules.
const INDEX: &str = "modules/index";

/// The file in a folder that every user of the folder locks.
const IN_USE: &str = "in_use";

/// The pathspec for files that may be mere pointers.
const OF_LFS: &str = ":(attr:filter=lfs)";

/// The end of a manifest that was the implicit root of its workspace.
pub(super) const OWN_WORKSPACE: &str = "\n[workspace]\n";

/// The file with the files that are laid over a tree: for each a digest of its content, its time and its
/// path.
const LAID: &str = "laid_over";

/// The number of trees whose folders stay for the next run.
const STAYING: usize = 2;

/// A tree to compare with, and the folder where it is built.
pub struct Checkout {
    pub(super) tree: PathBuf,
    /// The folder for everything built from the tree; for a revision, it contains the tree as well.
    pub(super) folder: PathBuf,
    /// The repository of a revision; `None` for a folder of the user, which is never changed.
    pub(super) git: Option<Git>,
    /// The files that were laid over the tree before, each with a digest of its content and its time.
    former: HashMap<PathBuf, (u64, u64)>,
    /// Locked while this process uses the folder.
    _in_use: File,
}

impl Checkout {
    /// The files of this revision, in a folder below `against`, without those that were laid over them.
    ///
    /// # Errors
    ///
    /// If something is missing; the text contains the command that fetches it.
    pub(super) fn of(git: Git, revision: &Revision, against: &Path) -> Result<Self, String> {
        let folder = against.join(&revision.tree);
        let (tree, in_use) = (folder.join("tree"), in_use(&folder)?);
        let former = laid_in(&folder);
        // Git would leave those that it ignores.
        former.keys().for_each(|path| drop(fs::remove_file(tree.join(path))));
        let _ = fs::remove_file(folder.join(LAID));
        write_tree(&git, &revision.id, &tree, &folder.join("modules"))
            .map_err(|error| revision.maybe_promised(&git, error))?;
        Ok(Self { tree, folder, git: Some(git), former, _in_use: in_use })
    }

    /// The files in a folder of the user, which are built in the way of this digest.
    pub(super) fn elsewhere(tree: &Path, against: &Path, way: Option<u64>) -> Result<Self, FileError> {
        let mut name = DefaultHasher::new();
        (tree, way).hash(&mut name);
        let folder = against.join(format!("folder-{:016x}", name.finish()));
        let in_use = in_use(&folder)?;
        Ok(Self { tree: tree.to_owned(), folder, git: None, former: HashMap::new(), _in_use: in_use })
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
        self.write(file, content, SystemTime::UNIX_EPOCH)
    }

    /// Lays files over a revision, each with its content. A file keeps its time as long as it has the same
    /// content, and looks new to cargo otherwise.
    pub(super) fn lay(&self, files: &[(PathBuf, Vec<u8>)]) -> Result<(), String> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let mut laid = HashMap::new();
        for (file, content) in files {
            let mut digest = DefaultHasher::new();
            content.hash(&mut digest);
            let (path, digest) = (file.strip_prefix(&self.tree).unwrap_or(file), digest.finish());
            let former = self.former.get(path).filter(|former| former.0 == digest);
            laid.insert(path, former.copied().unwrap_or((digest, now.as_nanos() as u64)));
        }
        let lines =
            laid.iter().map(|(path, (digest, time))| format!("{digest:016x} {time} {}\n", path.display()));
        let list = self.folder.join(LAID);
        // If this process is killed, the next one finds whatever is there by now.
        fs::write(&list, lines.collect::<String>()).map_err(|error| cannot("write", &list, error))?;
        for (file, content) in files {
            let (_, time) = laid[file.strip_prefix(&self.tree).unwrap_or(file)];
            self.write(file, content, SystemTime::UNIX_EPOCH + Duration::from_nanos(time))?;
        }
        Ok(())
    }

    fn write(&self, file: &Path, content: impl AsRef<[u8]>, time: SystemTime) -> Result<(), String> {
        if self.git.is_none() && file.exists() {
            return Err(format!("{} would have to be changed: name a revision instead", file.display()));
        }
        // If the file is a symbolic link, its target may be outside the tree.
        let _ = fs::remove_file(file);
        let written = fs::create_dir_all(file.with_file_name("")).and_then(|()| fs::write(file, content));
        let written = written.and_then(|()| File::options().write(true).open(file));
        let written = written.and_then(|file| file.set_modified(time));
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
    pub fn note(&self) -> Option<String> {
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

/// The files that are laid over the tree in this folder.
fn laid_in(folder: &Path) -> HashMap<PathBuf, (u64, u64)> {
    let list = fs::read_to_string(folder.join(LAID)).unwrap_or_default();
    let file = |line: &str| {
        let (digest, rest) = line.split_once(' ')?;
        let (time, path) = rest.split_once(' ')?;
        Some((path.into(), (u64::from_str_radix(digest, 16).ok()?, time.parse().ok()?)))
    };
    list.lines().filter_map(file).collect()
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

#[cfg(unix)]
#[cfg(test)]
mod tests;
