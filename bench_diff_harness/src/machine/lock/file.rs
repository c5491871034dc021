//! The file that is locked, in a folder where anybody can write.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

#[derive(Debug)]
pub(super) struct LockFile {
    pub(super) file: File,
    /// Whether it may hold a note: it is no file of other use, of us or of another user.
    pub(super) writable: bool,
}

impl LockFile {
    /// Opens the file for writing, or else for reading, which is enough to lock it.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            // A symbolic link could name a file of ours, and a pipe could keep us for ever.
            use std::os::unix::fs::OpenOptionsExt;
            options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
        }
        let writing = options.clone().write(true).create(true).truncate(false).open(path);
        match writing {
            Ok(file) if has_one_name(&file, path)? => Ok(Self { file, writable: true }),
            Ok(_) => Ok(Self { file: options.open(path)?, writable: false }),
            Err(error) => match options.open(path) {
                Ok(file) => Ok(Self { file, writable: false }),
                Err(_) => Err(error),
            },
        }
    }
}

/// Whether it is a regular file without any other name: a hard link could be one to a file of ours.
#[cfg(unix)]
fn has_one_name(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    // Which file and how many names, by one look at the path: a link may come and go between two.
    let (opened, named) = (file.metadata()?, fs::symlink_metadata(path)?);
    let same = (opened.dev(), opened.ino()) == (named.dev(), named.ino());
    Ok(same && named.is_file() && named.nlink() == 1)
}

#[cfg(not(unix))]
fn has_one_name(_: &File, path: &Path) -> io::Result<bool> {
    Ok(fs::symlink_metadata(path)?.is_file())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::machine::lock::{Lock, Timeout};

    fn lock(folder: &Path) -> Result<Lock, String> {
        Lock::acquire(folder, "sorting", Timeout::DEFAULT, |message| panic!("{message}"))
    }

    #[test]
    fn a_symbolic_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let precious = folder.path().join("precious");
        fs::write(&precious, "a text").unwrap();
        symlink(&precious, folder.path().join("bench_diff.lock")).unwrap();
        assert!(lock(folder.path()).is_err());
        assert_eq!(fs::read_to_string(precious).unwrap(), "a text");
    }

    #[test]
    fn a_hard_link_is_locked_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let precious = folder.path().join("precious");
        fs::write(&precious, "a text").unwrap();
        fs::set_permissions(&precious, fs::Permissions::from_mode(0o600)).unwrap();
        fs::hard_link(&precious, folder.path().join("bench_diff.lock")).unwrap();
        let held = lock(folder.path()).unwrap();
        assert!(File::open(&precious).unwrap().try_lock().is_err(), "it is locked");
        drop(held);
        assert_eq!(fs::read_to_string(&precious).unwrap(), "a text");
        assert_eq!(fs::metadata(&precious).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_that_lost_its_name_is_not_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bench_diff.lock");
        let file = File::create(&path).unwrap();
        assert!(has_one_name(&file, &path).unwrap());
        fs::remove_file(&path).unwrap();
        fs::write(&path, "").unwrap();
        assert!(!has_one_name(&file, &path).unwrap());
    }
}
