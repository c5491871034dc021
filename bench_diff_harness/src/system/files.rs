//! Operations on files, whose errors name the file.

use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};

/// The failure of an operation on a file or a folder.
#[derive(Debug)]
pub(crate) struct FileError {
    /// The operation, as a verb.
    action: &'static str,
    path: PathBuf,
    reason: String,
}

/// `cannot read PATH: permission denied`
impl Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} {}: {}", self.action, self.path.display(), self.reason)
    }
}

impl From<FileError> for String {
    fn from(error: FileError) -> Self {
        error.to_string()
    }
}

/// The error that this file or folder cannot be read, or whatever the action is.
pub(crate) fn cannot(action: &'static str, path: &Path, reason: impl Display) -> FileError {
    FileError { action, path: path.to_owned(), reason: reason.to_string() }
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(|error| cannot("read", path, error))
}

pub(crate) fn read_text(path: &Path) -> Result<String, FileError> {
    fs::read_to_string(path).map_err(|error| cannot("read", path, error))
}

pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), FileError> {
    fs::write(path, content).map_err(|error| cannot("write", path, error))
}

/// Makes a folder, and those above it.
pub(crate) fn make_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|error| cannot("make", path, error))
}
