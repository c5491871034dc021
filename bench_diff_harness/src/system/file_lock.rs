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

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_is_in_the_place_of_a_lock_is_neither_followed_nor_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let [link, target, pipe] = ["link", "target", "pipe"].map(|name| folder.path().join(name));
        symlink(&target, &link).unwrap();
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        lock(&link, "nobody waits").unwrap_err();
        let refusal = lock(&pipe, "nobody waits").unwrap_err();
        assert!(refusal.ends_with("it is not a regular file"), "{refusal}");
        assert!(!target.exists());
    }
}
