//! Edits of the files of a revision, and files of the working tree laid over them.
//!
//! An edited file looks old to cargo as long as its content stays, so that nothing is compiled again because
//! of it.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Component, Path};
use std::time::SystemTime;

use bench_diff_system::files::cannot;

use super::checkout::Checkout;
use super::repository;

/// Two folders of empty files: one for each file that this run lays over the tree, and one for each that the
/// run before did. The name of an empty file is a digest of path and content, and its time is that of the
/// file in the tree.
pub(super) const LAID: [&str; 2] = ["laid_over", "laid_over_before"];

/// The list of the files and folders of the tree that a run writes, one in a line.
const WRITTEN: &str = "written";

/// Removes what the run before has written into the tree of this folder. Ignored files that something else
/// made stay, since they may come from a build script that does not run again.
pub(super) fn undo(folder: &Path, tree: &Path) {
    let list = folder.join(WRITTEN);
    let written = fs::read_to_string(&list).unwrap_or_default();
    // A full disk may have cut the last line.
    let is_inside =
        |line: &&str| Path::new(line).components().all(|part| matches!(part, Component::Normal(_)));
    for path in written.lines().filter(|line| !line.is_empty()).filter(is_inside).map(|line| tree.join(line))
    {
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
    }
    let _ = fs::remove_file(list);
}

impl Checkout {
    /// Notes that this run writes a file or folder of the tree, which the next run removes first.
    ///
    /// # Errors
    ///
    /// If that cannot be noted.
    pub fn will_write(&self, path: &Path) -> Result<(), String> {
        let Ok(inside) = path.strip_prefix(&self.tree) else { return Ok(()) };
        let list = self.folder.join(WRITTEN);
        let opened = File::options().create(true).append(true).open(&list);
        let noted = opened.and_then(|mut file| writeln!(file, "{}", inside.display()));
        noted.map_err(|error| cannot("write", &list, error))
    }

    /// Changes a file of a revision, or adds a file that a folder of the user lacks. The file always gets the
    /// same time, so that cargo compiles nothing again because of it.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or is one of the user.
    pub fn edit(&self, file: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
        self.write(file, content, SystemTime::UNIX_EPOCH)
    }

    /// Lays a file over a revision. It keeps its time as long as it has the same content, and looks new to
    /// cargo otherwise.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or is one of the user.
    pub fn lay(&self, file: &Path, content: &[u8]) -> Result<(), String> {
        let mut digest = DefaultHasher::new();
        (file, content).hash(&mut digest);
        let name = format!("{:016x}", digest.finish());
        let [mark, former] = LAID.map(|folder| self.folder.join(folder).join(&name));
        let marked = fs::create_dir_all(mark.with_file_name(""))
            .and_then(|()| fs::rename(former, &mark).or_else(|_| fs::write(&mark, "")));
        let time = marked.and_then(|()| fs::metadata(&mark)?.modified());
        self.write(file, content, time.map_err(|error| cannot("write", &mark, error))?)
    }

    fn write(&self, file: &Path, content: impl AsRef<[u8]>, time: SystemTime) -> Result<(), String> {
        if self.git.is_none() && file.exists() {
            return Err(format!("{} would have to be changed: name a revision instead", file.display()));
        }
        self.will_write(file)?;
        // If the file is a symbolic link, its target may be outside the tree.
        let _ = fs::remove_file(file);
        let written = fs::create_dir_all(file.with_file_name("")).and_then(|()| fs::write(file, content));
        let written = written.and_then(|()| File::options().write(true).open(file));
        let written = written.and_then(|file| file.set_modified(time));
        if self.git.is_some() {
            repository::hide(&self.tree, file);
        }
        written.map_err(|error| cannot("write", file, error))
    }

    /// Removes a file of a revision, if it is there.
    pub fn remove(&self, file: &Path) {
        if self.git.is_some() && fs::remove_file(file).is_ok() {
            repository::hide(&self.tree, file);
        }
    }
}
