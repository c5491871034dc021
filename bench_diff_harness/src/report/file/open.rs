//! The check of a path that is to be written.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A path that can be written.
pub(super) struct Opened {
    pub(super) file: File,
    /// The path of a file with content, which may be replaced. None of a stream, to which writes are final: a
    /// terminal, an endless device, or a pipe of this process.
    pub(super) path: Option<PathBuf>,
    /// True if there was no such file before.
    pub(super) is_new: bool,
}

/// Opens a path for writing without changing its content, and makes missing folders.
///
/// # Errors
///
/// The defect of the path, and the remedy.
pub(super) fn open(path: &Path) -> Result<Opened, String> {
    let cannot_open = |error: io::Error| format!("cannot open {} for writing: {error}", path.display());
    if let Some(stream) = standard_stream(path) {
        return Ok(Opened { file: stream.map_err(cannot_open)?, path: None, is_new: false });
    }
    let kind = match fs::metadata(path) {
        Ok(metadata) => Some(metadata.file_type()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(cannot_open(error)),
    };
    let names_a_folder = path.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
    if names_a_folder || kind.is_some_and(|kind| kind.is_dir()) {
        return Err(format!("{} is a folder; expected the path of a file", path.display()));
    }
    let is_file = kind.is_none_or(|kind| kind.is_file());
    if !is_file && !kind.is_some_and(|kind| is_stream(path, kind)) {
        let path = path.display();
        return Err(format!("{path} is a pipe or a disk; expected the path of a file, or /dev/stdout"));
    }
    if let (None, Some(folder)) = (kind, path.parent()) {
        fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
    }
    let file = OpenOptions::new().append(true).create(true).open(path).map_err(cannot_open)?;
    // The canonical path: a link's target is replaced, not the link.
    let path = is_file.then(|| fs::canonicalize(path)).transpose().map_err(cannot_open)?;
    Ok(Opened { file, path, is_new: kind.is_none() })
}

/// Returns whether it takes writes at once, and keeps nothing that could be lost by them: an open file of
/// this process, as `>(command)` of a shell names it, has a reader.
#[cfg(unix)]
fn is_stream(path: &Path, kind: FileType) -> bool {
    ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder))
        || std::os::unix::fs::FileTypeExt::is_char_device(&kind)
}

#[cfg(not(unix))]
fn is_stream(_: &Path, _: FileType) -> bool {
    true
}

/// A standard stream of this process, by name. Opening the name would start again at the beginning of a file
/// that the stream is redirected to.
#[cfg(unix)]
fn standard_stream(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd;

    let stream = match path.to_str()? {
        "/dev/stdout" => io::stdout().as_fd().try_clone_to_owned(),
        "/dev/stderr" => io::stderr().as_fd().try_clone_to_owned(),
        _ => return None,
    };
    Some(stream.map(File::from))
}

#[cfg(not(unix))]
fn standard_stream(_: &Path) -> Option<io::Result<File>> {
    None
}
