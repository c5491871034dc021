//! Edits of the files of a revision, and files of the working tree laid over them.
//!
//! An edited file looks old to cargo as long as its content stays, so that nothing is compiled again because
//! of it.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use bench_diff_system::files::cannot;

use super::checkout::Checkout;
use super::repository;

/// A file that the run before has written into the tree.
#[derive(Debug)]
pub(super) struct Former {
    path: PathBuf,
    content: Vec<u8>,
    time: SystemTime,
}

/// The list of the files and folders of the tree that a run writes, one in a line.
const WRITTEN: &str = "written";

/// Removes what the run before has written into the tree of this folder, and returns these files. Ignored
/// files that something else made stay, since they may come from a build script that does not run again.
pub(super) fn undo(folder: &Path, tree: &Path) -> Vec<Former> {
    let list = folder.join(WRITTEN);
    let written = fs::read_to_string(&list).unwrap_or_default();
    // A full disk may have cut the last line.
    let is_inside =
        |line: &&str| Path::new(line).components().all(|part| matches!(part, Component::Normal(_)));
    let mut files = Vec::new();
    for path in written.lines().filter(|line| !line.is_empty()).filter(is_inside).map(|line| tree.join(line))
    {
        let time = fs::metadata(&path).and_then(|file| file.modified());
        let read = time.and_then(|time| Ok((fs::read(&path)?, time)));
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        files.extend(read.ok().map(|(content, time)| Former { path, content, time }));
    }
    let _ = fs::remove_file(list);
    files
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
        let same = |former: &&Former| former.path == file && former.content == content;
        let time = self.former.iter().find(same).map_or_else(SystemTime::now, |former| former.time);
        self.write(file, content, time)
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
