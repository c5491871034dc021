//! Files that are locked while something is made or used.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

use super::text::cannot;
use super::{input, stderr};

/// Opens a file to lock: a symbolic link does not create one elsewhere, and a pipe does not block.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    match File::create_new(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let file = input::without_waiting(OpenOptions::new().read(true).write(true)).open(path)?;
            input::require_regular(&file).map(|()| file)
        }
        file => file,
    }
}

/// Locks a file, and waits with this message where another process holds it.
///
/// # Errors
///
/// If it cannot be locked.
pub(crate) fn lock(path: &Path, waiting: &str) -> Result<File, String> {
    let locked = open(path).and_then(|file| {
        if file.try_lock().is_err() {
            stderr::say(waiting);
            file.lock()?;
        }
        Ok(file)
    });
    locked.map_err(|error| cannot("lock", path, error))
}
