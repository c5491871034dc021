//! The destination of a report: a file or a stream, checked before anything is measured.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use bench_diff_system::files::cannot;
use bench_diff_system::input;
use bench_diff_system::replace::{can_be_replaced, replace};

pub(super) enum Destination {
    /// Replaced as a whole, so a reader finds the old report or the new one.
    File(PathBuf),
    /// A terminal, an endless device, a pipe of this process, or the end of a file.
    Stream(File),
}

impl Destination {
    /// Checks that a report can be written to this path. Makes missing folders, and leaves a file as it is.
    ///
    /// # Errors
    ///
    /// The defect of the path.
    pub(super) fn checked(path: &Path) -> Result<Self, String> {
        let cannot_open = |error: io::Error| format!("cannot open {} for writing: {error}", path.display());
        if let Some(stream) = standard_stream(path) {
            return Ok(Self::Stream(stream.map_err(cannot_open)?));
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
        let open = || OpenOptions::new().append(true).open(path).map_err(cannot_open);
        let file = match kind {
            Some(kind) if kind.is_file() => {
                open()?;
                // The target of a link is replaced, not the link.
                fs::canonicalize(path).map_err(cannot_open)?
            }
            Some(kind) if is_stream(path, kind) => return Ok(Self::Stream(open()?)),
            Some(_) => {
                let path = path.display();
                return Err(format!(
                    "{path} is a pipe or a disk; expected the path of a file, or /dev/stdout"
                ));
            }
            None => {
                let folder = path.parent().unwrap_or(path);
                fs::create_dir_all(folder).map_err(|error| cannot("make the folder", folder, error))?;
                path.to_owned()
            }
        };
        can_be_replaced(&file).map_err(|error| cannot("make a file beside", &file, error))?;
        Ok(Self::File(file))
    }

    /// The end of this file.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be written.
    pub(super) fn end_of(path: &Path) -> io::Result<Self> {
        let file = input::without_waiting(OpenOptions::new().append(true).create(true)).open(path)?;
        input::require_regular(&file)?;
        Ok(Self::Stream(file))
    }

    pub(super) fn write(&mut self, text: &[u8]) -> io::Result<()> {
        match self {
            Self::File(path) => replace(path, text).map(drop),
            Self::Stream(stream) => stream.write_all(text),
        }
    }
}

/// Returns whether writing to a path at once can lose nothing. An open file of this process, as the shell's
/// `>(command)` names one, has a reader.
#[cfg(unix)]
fn is_stream(path: &Path, kind: FileType) -> bool {
    ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder))
        || std::os::unix::fs::FileTypeExt::is_char_device(&kind)
}

#[cfg(not(unix))]
fn is_stream(_: &Path, _: FileType) -> bool {
    true
}

/// A standard stream of this process, by name. Opening the name instead would start at the beginning of the
/// file that the stream is redirected to.
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
