//! Locks on files.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::mem;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::holder::{holder, sign};
use super::text::cannot;
use super::{input, stderr};

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

/// The pause between two attempts, long enough not to disturb the holder.
const PAUSE: Duration = Duration::from_millis(200);

/// Locks a file. While another process holds the lock, reports which one, and that it `does` this.
///
/// # Errors
///
/// If it cannot be locked.
pub(crate) fn lock(path: &Path, does: &str) -> Result<File, String> {
    let locked = open(path).and_then(|file| {
        let mut waits = |holder: &str| stderr::say(&format!("waiting for {holder}, which {does}"));
        wait(&file, Duration::MAX, &mut waits)?;
        sign(&file, "");
        Ok(file)
    });
    locked.map_err(|error| cannot("lock", path, error))
}

/// Locks a file, after any other process. Calls `waits` with the first one that holds the lock. If one of
/// them holds it for `longest`, returns its name, without the lock.
pub(crate) fn wait(
    file: &File,
    longest: Duration,
    waits: &mut dyn FnMut(&str),
) -> io::Result<Option<String>> {
    let (mut seen, mut since, mut has_called) = (String::new(), Instant::now(), false);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) => {}
        }
        let holder = holder(file);
        if holder != seen {
            (seen, since) = (holder, Instant::now());
        }
        if since.elapsed() >= longest {
            return Ok(Some(seen));
        }
        if !mem::replace(&mut has_called, true) {
            waits(&seen);
        }
        thread::sleep(PAUSE);
    }
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
        let refusal = lock(&pipe, "does nothing").unwrap_err();
        assert!(refusal.ends_with("it is not a regular file"), "{refusal}");
        assert!(!target.exists());
    }
}
