//! Operations on files, whose errors name the file.

use std::fmt::Display;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// The error of an action, such as `read`, on a file or folder: `cannot read PATH: permission denied`.
pub fn cannot(action: &str, path: &Path, reason: impl Display) -> String {
    format!("cannot {action} {}: {reason}", path.display())
}

/// The absolute path without links. On Windows it lacks the prefix `\\?\`, which git and cargo do not expect.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    let path = fs::canonicalize(path)?;
    let plain = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
    // Other paths with the prefix, such as `\\?\UNC\server`, do not exist without it.
    let on_disk = plain.filter(|plain| plain.get(1..3) == Some(r":\")).map(PathBuf::from);
    Ok(on_disk.unwrap_or(path))
}

/// The path without symbolic links, or the path itself if nothing is there.
pub fn without_links(path: &Path) -> PathBuf {
    canonical(path).unwrap_or_else(|_| path.to_owned())
}

/// The path with `/` between the names, which Windows accepts as well, for files and tools that take `\` for
/// something else.
pub fn slashed(path: &Path) -> String {
    let text = path.display().to_string();
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// The bytes of a file.
///
/// # Errors
///
/// If it cannot be read; the error names it.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| cannot("read", path, error))
}

/// The text of a file.
///
/// # Errors
///
/// If it cannot be read as text; the error names it.
pub fn read_text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| cannot("read", path, error))
}

/// Writes a file, which may exist.
///
/// # Errors
///
/// If it cannot be written; the error names it.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    fs::write(path, content).map_err(|error| cannot("write", path, error))
}

/// Makes a folder, and those above it.
pub fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| cannot("make", path, error))
}

/// Copies a file or a folder with the times of its files, into a folder that may be missing.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
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

/// Returns whether a file belongs to the user of this process.
#[cfg(unix)]
pub fn is_own(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    // SAFETY: the call returns a number and does nothing else.
    #[expect(unsafe_code, reason = "the standard library does not say which user this is")]
    let user = unsafe { libc::geteuid() };
    metadata.uid() == user
}

/// Returns true: owners are not checked here.
#[cfg(not(unix))]
pub fn is_own(_: &Metadata) -> bool {
    true
}
