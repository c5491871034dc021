//! Locks on files.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::files::{FileError, cannot};
use super::holder::{Holder, Note};
use super::{input, lifeline, stderr};

/// Opens a file to lock it, without creating one through a symbolic link and without blocking on a pipe.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    match File::create_new(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let file = input::without_waiting(OpenOptions::new().read(true).write(true)).open(path)?;
            input::require_regular(&file).map(|()| file)
        }
        file => file,
    }
}

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(200);

/// Locks a file. While another process holds the lock, reports which one, and that it `does` this.
///
/// # Errors
///
/// If it cannot be locked.
pub(crate) fn lock(path: &Path, does: &str) -> Result<File, FileError> {
    let locked = open(path).and_then(|file| {
        let mut said = String::new();
        while let Err(error) = file.try_lock() {
            if let TryLockError::Error(error) = error {
                return Err(error);
            }
            let holder = Holder::read(&file);
            let mut what = format!("waiting for {}, which {does}", holder.name());
            if holder.is_orphan() {
                what += &format!("; the process that started it has ended{}", holder.way_out());
            }
            if what != said {
                stderr::say(&what);
                said = what;
            }
            thread::sleep(PAUSE);
        }
        Note::write(&file, "", lifeline::parent());
        Ok(file)
    });
    locked.map_err(|error| cannot("lock", path, error))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_and_pipes_are_refused_as_locks() {
        let folder = tempfile::tempdir().unwrap();
        let [link, target, pipe] = ["link", "target", "pipe"].map(|name| folder.path().join(name));
        symlink(&target, &link).unwrap();
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        lock(&link, "does nothing").unwrap_err();
        let refusal = lock(&pipe, "does nothing").unwrap_err().to_string();
        assert!(refusal.ends_with("it is not a regular file"), "{refusal}");
        assert!(!target.exists());
    }
}
