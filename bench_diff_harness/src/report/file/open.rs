//! The check of a path that is to be written.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::system::input;

/// The target of a path.
#[derive(Debug)]
pub(super) enum Opened {
    /// A file with content, which may be replaced.
    Regular {
        path: PathBuf,
        file: File,
        /// True if the file did not exist.
        is_new: bool,
    },
    /// A terminal, an endless device, or a pipe of this process: writes to it are final.
    Stream(File),
}

impl Opened {
    /// Opens a path for writing without changing its content, and makes missing folders.
    ///
    /// # Errors
    ///
    /// The defect of the path, and the remedy.
    pub(super) fn new(path: &Path) -> Result<Self, String> {
        if let Some(stream) = standard_stream(path) {
            return stream
                .map(Self::Stream)
                .map_err(|error| format!("cannot open {}: {error}", path.display()));
        }
        let cannot_open = |error| format!("cannot open {} for writing: {error}", path.display());
        let names_a_folder = path.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
        let existing = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(cannot_open(error)),
        };
        if names_a_folder || existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(format!("{} is a folder; expected the path of a file", path.display()));
        }
        if existing.is_none()
            && let Some(folder) = path.parent()
        {
            fs::create_dir_all(folder)
                .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        if !is_of_this_process(path) {
            input::without_waiting(&mut options);
        }
        let file = options.open(path).map_err(cannot_open)?;
        let kind = file.metadata().map_err(cannot_open)?.file_type();
        if kind.is_file() {
            // The canonical path: a link's target is replaced, not the link.
            let is_new = existing.is_none();
            Ok(Self::Regular { path: fs::canonicalize(path).map_err(cannot_open)?, file, is_new })
        } else if is_of_this_process(path) || is_terminal_or_sink(kind) {
            Ok(Self::Stream(file))
        } else {
            Err(format!(
                "{} is a pipe or a disk; expected the path of a file, or /dev/stdout",
                path.display()
            ))
        }
    }

    /// Returns whether it is a file that did not exist.
    pub(super) fn is_new(&self) -> bool {
        matches!(self, Self::Regular { is_new: true, .. })
    }

    /// The path of a file.
    pub(super) fn regular(&self) -> Option<&Path> {
        match self {
            Self::Regular { path, .. } => Some(path),
            Self::Stream(_) => None,
        }
    }
}

/// Returns whether a path names an open file of this process, as `>(command)` of a shell does: it has a
/// reader.
fn is_of_this_process(path: &Path) -> bool {
    ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder))
}

/// Returns whether it takes writes at once, and keeps nothing that could be lost by them.
#[cfg(unix)]
fn is_terminal_or_sink(kind: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&kind)
}

#[cfg(not(unix))]
fn is_terminal_or_sink(_: FileType) -> bool {
    true
}

/// A standard stream of this process, by name. Opening the name would start again at the beginning of a file
/// that the stream is redirected to.
#[cfg(unix)]
fn standard_stream(path: &Path) -> Option<std::io::Result<File>> {
    use std::os::fd::AsFd;

    let stream = match path.to_str()? {
        "/dev/stdout" => std::io::stdout().as_fd().try_clone_to_owned(),
        "/dev/stderr" => std::io::stderr().as_fd().try_clone_to_owned(),
        _ => return None,
    };
    Some(stream.map(File::from))
}

#[cfg(not(unix))]
fn standard_stream(_: &Path) -> Option<std::io::Result<File>> {
    None
}
