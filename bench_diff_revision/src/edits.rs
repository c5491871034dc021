//! Edits of the files of a revision: manifests that fit their place, lock files, and benches of the working
//! tree.
//!
//! An edited file looks old to cargo as long as its content stays, so that nothing is compiled again because
//! of it.

use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bench_diff_system::files::cannot;

use super::bench::Build;
use super::checkout::Checkout;
use super::manifest::{MANIFEST, with_outer_paths};
use super::repository;

/// The file with the files that are laid over a tree: for each a digest of its content, its time and its
/// path.
pub(super) const LAID: &str = "laid_over";

impl Checkout {
    /// Adapts a revision to its place: relative paths in manifests and sources that lead out of the tree lead
    /// where they do in the working tree, and config files that git does not track are there as well.
    pub(super) fn fit(&self, build: &Build<'_>) -> Result<(), String> {
        for file in self.files(&format!("*{MANIFEST}"))?.iter().map(Path::new) {
            let Ok(before) = fs::read_to_string(self.tree.join(file)) else { continue };
            let folder = build.top.join(file.parent().unwrap_or(file));
            let after = with_outer_paths(&before, &folder, build.top);
            if after != before {
                self.edit(&self.tree.join(file), &after)?;
            }
        }
        self.link_outer_sources(build)?;
        self.add_settings(build)
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
}

/// The files that are laid over the tree in this folder.
pub(super) fn laid_in(folder: &Path) -> HashMap<PathBuf, (u64, u64)> {
    let list = fs::read_to_string(folder.join(LAID)).unwrap_or_default();
    list.lines().filter_map(laid_file).collect()
}

/// A file of the list: `DIGEST TIME PATH`.
fn laid_file(line: &str) -> Option<(PathBuf, (u64, u64))> {
    let (digest, rest) = line.split_once(' ')?;
    let (time, path) = rest.split_once(' ')?;
    Some((path.into(), (u64::from_str_radix(digest, 16).ok()?, time.parse().ok()?)))
}
