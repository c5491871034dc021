//! Locks on files, for what only one process may do at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process;
use std::thread;
use std::time::{Duration, Instant};

use super::files::cannot;
use super::{input, stderr};

/// A locked file with the id of this process. However the process ends, the system releases the lock.
#[derive(Debug)]
pub struct FileLock(File);

/// The pause between two attempts, long enough not to disturb a measurement.
const PAUSE: Duration = Duration::from_millis(200);

/// The longest wait for the build of another process, in minutes.
pub const LONGEST_BUILD: u64 = 60;

impl FileLock {
    /// Locks a file. If another process holds the lock, says which one, and that it `does` this, and waits
    /// at most this many minutes for each holder.
    ///
    /// # Errors
    ///
    /// If the file cannot be locked, or its holder keeps it for longer.
    pub fn wait(path: &Path, does: &str, minutes: u64) -> Result<Self, String> {
        Self::wait_or_fail(path, does, minutes).map_err(|error| cannot("lock", path, error))
    }

    fn wait_or_fail(path: &Path, does: &str, minutes: u64) -> io::Result<Self> {
        let file = open(path)?;
        let (mut holder, mut since) = (String::new(), Instant::now());
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) => {}
            }
            let now = holder_of(&file);
            if holder.is_empty() {
                stderr::say(&format!("waiting for {now}, which {does}, for up to {minutes} minutes"));
            }
            if now != holder {
                (holder, since) = (now, Instant::now());
            }
            if since.elapsed() >= Duration::from_secs(60 * minutes) {
                return Err(io::Error::other(format!("{holder} has held it for {minutes} minutes")));
            }
            thread::sleep(PAUSE);
        }
        // Without its id, waiting processes only cannot name it.
        let _ = file.set_len(0).and_then(|()| (&file).write_all(process::id().to_string().as_bytes()));
        Ok(Self(file))
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // The next holder may be another user, who cannot overwrite the id.
        let _ = self.0.set_len(0);
    }
}

/// The process whose id is in a locked file, which any user may have written. On Windows, a locked file
/// cannot be read.
fn holder_of(mut file: &File) -> String {
    let mut text = String::new();
    let read = file.rewind().and_then(|()| file.take(20).read_to_string(&mut text));
    match read.map(|_| text.trim().parse::<u32>()) {
        Ok(Ok(id)) => format!("process {id}"),
        _ => "another process".to_owned(),
    }
}

/// Opens a file to lock it, or creates it. A file of another user is opened for reading, which is enough.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        // Any user can write to the folder for temporary files: a symbolic link could lead to another file
        // of this user, and opening a pipe could block.
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let writing = options.clone().write(true).create(true).truncate(false).open(path);
    let file = writing.or_else(|error| options.open(path).map_err(|_| error))?;
    input::require_regular(&file)?;
    #[cfg(unix)]
    {
        // So that other users can open it, whatever the umask of this process.
        use std::os::unix::fs::PermissionsExt;
        let _ = file.set_permissions(std::fs::Permissions::from_mode(0o644));
    }
    Ok(file)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_holder_is_named_and_waiting_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        fs::write(&path, "the longer text of a process that was killed").unwrap();
        let first = FileLock::wait(&path, "works", 10).unwrap();
        let this = process::id();
        assert_eq!(fs::read_to_string(&path).unwrap(), this.to_string());
        let late = FileLock::wait(&path, "works", 0).unwrap_err().to_string();
        assert!(
            late.starts_with("cannot lock ") && late.contains(&format!("lock: process {this} ")),
            "{late}"
        );
        drop(first);
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
        // A process that another test is just starting inherits the lock for a moment.
        FileLock::wait(&path, "works", 10).unwrap();
    }

    #[test]
    fn an_id_is_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        for (text, holder) in
            [("7", "process 7"), ("", "another process"), ("7\u{1b}[31m", "another process")]
        {
            fs::write(&path, text).unwrap();
            assert_eq!(holder_of(&File::open(&path).unwrap()), holder);
        }
    }

    #[test]
    fn links_and_pipes_are_refused_as_locks() {
        let folder = tempfile::tempdir().unwrap();
        let [link, target, pipe, precious] =
            ["link", "target", "pipe", "precious"].map(|name| folder.path().join(name));
        symlink(&target, &link).unwrap();
        FileLock::wait(&link, "works", 10).unwrap_err();
        assert!(!target.exists());
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let refusal = FileLock::wait(&pipe, "works", 10).unwrap_err().to_string();
        assert!(refusal.ends_with("it is not a regular file"), "{refusal}");
        fs::write(&precious, "a text").unwrap();
        fs::remove_file(&link).unwrap();
        symlink(&precious, &link).unwrap();
        FileLock::wait(&link, "works", 10).unwrap_err();
        assert_eq!(fs::read_to_string(precious).unwrap(), "a text");
    }

    /// As one of another user cannot. To the superuser it is a file like any other.
    #[test]
    fn a_file_that_cannot_be_written_can_be_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        let _first = FileLock::wait(&path, "works", 10).unwrap();
        FileLock::wait(&path, "works", 0).unwrap_err();
    }
}
