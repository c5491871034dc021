//! Lets only one harness measure on a machine at a time: two would disturb each other.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::patience::{Patience, Wait};
use crate::system::holder::{Holder, Note};
use crate::system::lifeline;

/// The lock, held as long as this value lives. However the process ends, the system releases the lock.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    note: Note,
}

/// The pause between two attempts, long enough not to disturb the holder.
const PAUSE: Duration = Duration::from_millis(200);

impl Lock {
    /// Takes the lock in this folder for a bench, after any other process that has it. Says which process it
    /// waits for, and whether that one may hang.
    ///
    /// # Errors
    ///
    /// The reason why a run has to go on without the lock.
    pub(crate) fn acquire(
        folder: &Path,
        bench: &str,
        patience: Patience,
        mut say: impl FnMut(&str),
    ) -> Result<Self, String> {
        let path = folder.join("bench_diff.lock");
        let cannot = |error: io::Error| {
            format!("cannot lock {}: {error}; another run may measure at the same time", path.display())
        };
        // While this process waits, it may become an orphan itself.
        let parent = lifeline::parent();
        let file = open(&path).map_err(cannot)?;
        let mut wait = Wait::new(patience);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self::held(file, bench, parent)),
                Err(TryLockError::Error(error)) => return Err(cannot(error)),
                Err(TryLockError::WouldBlock) => {}
            }
            let holder = Holder::read(&file);
            let is_orphan = holder.is_orphan();
            wait.look(holder, is_orphan, Instant::now(), &mut say)?;
            thread::sleep(PAUSE);
        }
    }

    /// Shows waiting processes that the run makes progress.
    pub(crate) fn step(&mut self) {
        self.note.step(&self.file);
    }

    fn held(file: File, bench: &str, parent: u32) -> Self {
        #[cfg(unix)]
        {
            // Other users lock the file as well and must be able to read it, whatever this process's
            // umask.
            use std::os::unix::fs::PermissionsExt;
            let _ = file.set_permissions(std::fs::Permissions::from_mode(0o644));
        }
        let note = Note::write(&file, &format!(" (bench {bench})"), parent);
        Self { file, note }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The next holder may be another user, who cannot overwrite the note.
        let _ = self.file.set_len(0);
    }
}

/// Opens the file for writing, or for reading if it belongs to another user, which is enough to lock the
/// file.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        // Any user can write to this folder: a symbolic link could name another file of this user, and
        // opening a named pipe could block forever.
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let writing = options.clone().write(true).create(true).truncate(false).open(path);
    writing.or_else(|error| options.open(path).map_err(|_| error))
}

// A locked file cannot be read on Windows, so the message does not name the holder there.
#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::process;

    use super::*;

    const NONE: Patience = Patience { longest: Duration::ZERO, ..Patience::OF_RUNS };

    fn nobody(message: &str) {
        panic!("{message}");
    }

    #[test]
    fn a_second_run_waits_until_the_first_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = Some(Lock::acquire(folder.path(), "sorting", Patience::OF_RUNS, nobody).unwrap());
        let mut messages = Vec::new();
        let mut second = Lock::acquire(folder.path(), "digits", Patience::OF_RUNS, |message| {
            messages.push(message.to_owned());
            drop(first.take());
        })
        .unwrap();
        let this = process::id();
        assert_eq!(
            messages,
            [format!(
                "waiting for process {this} (bench sorting), which measures on this machine, for up to 10 minutes"
            )]
        );
        let note = || fs::read_to_string(folder.path().join("bench_diff.lock")).unwrap();
        assert_eq!(note().lines().next(), Some(&*format!("process {this} (bench digits)")));
        second.step();
        assert!(note().ends_with("\n1"), "{}", note());
        drop(second);
        assert_eq!(note(), "");
    }

    #[test]
    fn waiting_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let _first = Lock::acquire(folder.path(), "sor\u{1b}[31mting", Patience::OF_RUNS, nobody).unwrap();
        let second = Lock::acquire(folder.path(), "digits", NONE, nobody);
        let warning = second.unwrap_err();
        let start = format!("process {} (bench sor[31mting) still measures after 0 minutes", process::id());
        assert!(warning.starts_with(&start), "{warning}");
        let note = fs::read_to_string(folder.path().join("bench_diff.lock")).unwrap();
        assert!(note.contains("31mting"), "the note stays the holder's: {note}");
    }

    #[test]
    fn a_missing_folder_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let warning =
            Lock::acquire(&folder.path().join("absent"), "sorting", Patience::OF_RUNS, nobody).unwrap_err();
        assert!(warning.starts_with("cannot lock ") && warning.contains("bench_diff.lock: "), "{warning}");
    }

    #[test]
    fn a_symbolic_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let precious = folder.path().join("precious");
        fs::write(&precious, "a text").unwrap();
        symlink(&precious, folder.path().join("bench_diff.lock")).unwrap();
        assert!(Lock::acquire(folder.path(), "sorting", Patience::OF_RUNS, nobody).is_err());
        assert_eq!(fs::read_to_string(precious).unwrap(), "a text");
    }

    /// A folder stands in for a file of another user: neither can be opened for writing.
    #[test]
    fn a_read_only_file_can_be_locked() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bench_diff.lock")).unwrap();
        let first = Lock::acquire(folder.path(), "sorting", Patience::OF_RUNS, nobody).unwrap();
        let warning = Lock::acquire(folder.path(), "digits", NONE, nobody).unwrap_err();
        assert!(warning.starts_with("another process still measures"), "{warning}");
        drop(first);
        // A process that another test is just starting inherits the lock for a moment.
        assert!(Lock::acquire(folder.path(), "digits", Patience::OF_RUNS, |_| ()).is_ok());
    }
}
