//! Copies of folders.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Copies a file or a folder with the times of its files, into a folder that may be missing.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        return fs::read_dir(from)?.try_for_each(|entry| {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))
        });
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to)?;
    let modified = fs::metadata(from)?.modified()?;
    // A copy of a read-only file is read-only too.
    File::options().write(true).open(to).or_else(|_| File::open(to))?.set_modified(modified)
}
