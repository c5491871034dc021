//! Reads files of unknown origin without blocking and with bounded memory.

use std::fs::{self, DirEntry, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::files::cannot;

/// Reads the content of a regular file.
///
/// # Errors
///
/// If it cannot be read, is a pipe, a device or a folder, or has more than `most` bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = open(path).and_then(|file| file.take(most.saturating_add(1)).read_to_end(&mut bytes));
    match read.map_err(|error| cannot("read", path, error))? as u64 <= most {
        true => Ok(bytes),
        false => Err(cannot("read", path, format_args!("it has more than {most} bytes"))),
    }
}

/// The entries of a folder that can be read.
pub fn entries(folder: &Path) -> Vec<DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten().collect()
}

/// Opens a regular file for reading.
///
/// # Errors
///
/// If it cannot be opened, or is a pipe, a device or a folder, on which a reader could block.
pub fn open(path: &Path) -> io::Result<File> {
    let file = without_waiting(OpenOptions::new().read(true)).open(path)?;
    require_regular(&file)?;
    Ok(file)
}

/// Requires a regular file.
///
/// # Errors
///
/// If it is anything else.
pub fn require_regular(file: &File) -> io::Result<()> {
    match file.metadata()?.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// Options that open a pipe without waiting for its other end, and a terminal without making it the
/// controlling terminal of this process.
#[cfg(unix)]
pub fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
}

/// The same options: these systems have no such files.
#[cfg(not(unix))]
pub fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Returns whether two paths lead to the same file or folder, or would if it existed.
pub fn are_one_file(one: &Path, other: &Path) -> bool {
    let name = |path: &Path| Some((fs::canonicalize(path.parent()?).ok()?, path.file_name()?.to_owned()));
    let have_one_name = || name(one).is_some_and(|one| Some(one) == name(other));
    match (identity(one), identity(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => have_one_name(),
    }
}

/// The device and the number of a file.
#[cfg(unix)]
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;

    fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino()))
}

/// The path of a file with its symbolic links resolved; hard links stay different.
#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<std::path::PathBuf> {
    fs::canonicalize(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn pipes_devices_and_folders_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        nix::unistd::mkfifo(&path("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        symlink(path("pipe"), path("link")).unwrap();
        fs::write(path("text"), "abc").unwrap();
        assert_eq!(read(&path("text"), 3).unwrap(), b"abc");
        let error = read(&path("text"), 2).unwrap_err().to_string();
        assert!(
            error.starts_with("cannot read /") && error.ends_with(": it has more than 2 bytes"),
            "{error}"
        );
        for odd in [&path("pipe"), &path("link"), folder.path(), Path::new("/dev/zero")] {
            let error = read(odd, 10).unwrap_err();
            assert!(error.to_string().contains("not a regular file"), "{}: {error}", odd.display());
        }
    }

    #[test]
    fn all_names_of_a_file_lead_to_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| folder.path().join(name));
        fs::write(&a, "").unwrap();
        fs::write(&c, "").unwrap();
        fs::hard_link(&a, &b).unwrap();
        assert!(are_one_file(&a, &b) && !are_one_file(&a, &c) && !are_one_file(&a, &folder.path().join("d")));
        let absent = ["d", "./d", "e"].map(|name| folder.path().join(name));
        assert!(are_one_file(&absent[0], &absent[1]) && !are_one_file(&absent[0], &absent[2]));
    }
}
