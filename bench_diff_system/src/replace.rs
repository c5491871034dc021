//! Replaces a file atomically: a reader finds either the old or the new one, complete.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Checks that a file can be created beside this one, to replace it.
///
/// # Errors
///
/// Why none can be created.
pub fn can_be_replaced(path: &Path) -> io::Result<()> {
    // Not the file that another run may be writing. A killed process may have left its probe.
    let probe = beside(path, ".probe");
    let _ = fs::remove_file(&probe);
    let created = File::create_new(&probe).map(drop);
    let _ = fs::remove_file(&probe);
    // Another run may check at the same time.
    created.or_else(|error| if error.kind() == ErrorKind::AlreadyExists { Ok(()) } else { Err(error) })
}

/// Replaces this file by a new one with the same permissions, and removes the leftover of a killed process.
///
/// # Errors
///
/// Why it cannot be written; then the old file stays.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let new = beside(path, ".part");
    // A link at this path could lead to another file.
    let _ = fs::remove_file(&new);
    let mut file = File::create_new(&new)?;
    let mut written = file.write_all(bytes);
    if let Ok(metadata) = fs::metadata(path) {
        written = written.and_then(|()| file.set_permissions(metadata.permissions()));
    }
    let placed = written.and_then(|()| fs::rename(&new, path));
    placed.inspect_err(|_| drop(fs::remove_file(&new)))?;
    Ok(file)
}

/// `.NAME.part` beside `NAME`.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(end);
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::io::Read;

    use super::*;

    // On Windows, only some file systems replace a file that is open; on others, the error is reported.
    #[cfg(unix)]
    #[test]
    fn a_reader_finds_the_old_file_or_the_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names");
        fs::write(&path, "old").unwrap();
        fs::write(folder.path().join(".names.part"), "of a process that was killed").unwrap();
        let mut reader = File::open(&path).unwrap();
        let mut file = replace(&path, b"new").unwrap();
        file.write_all(b" and more").unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "old");
        assert_eq!(fs::read_to_string(&path).unwrap(), "new and more");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn a_file_that_cannot_be_replaced_is_found_in_advance() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".names.probe"), "of a process that was killed").unwrap();
        let absent = folder.path().join("absent/names");
        assert_eq!(can_be_replaced(&absent).unwrap_err().kind(), ErrorKind::NotFound);
        can_be_replaced(&folder.path().join("names")).unwrap();
        // Blocks the rename.
        fs::create_dir(folder.path().join("names")).unwrap();
        replace(&folder.path().join("names"), b"new").unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}
