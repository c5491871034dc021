//! One measuring harness at a time on a machine: two would be each other's noise.

mod file;
mod holder;

use std::fs::TryLockError;
use std::io::{self, Seek, Write};
use std::path::Path;
use std::process;
use std::thread;
use std::time::{Duration, Instant};

use self::file::LockFile;
use self::holder::{Holder, Wait, whom};

/// Held as long as it lives. However the process ends, the system releases what it held.
#[derive(Debug)]
pub(crate) struct Lock(LockFile);

/// How a process waits for another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeout {
    /// For one holder: who waits in a long queue waits for many.
    limit: Duration,
    /// Between two looks, which should not disturb whom they wait for.
    pause: Duration,
}

impl Timeout {
    pub(crate) const DEFAULT: Self =
        Self { limit: Duration::from_secs(10 * 60), pause: Duration::from_millis(200) };

    fn limit(self) -> String {
        format!("{} minutes", self.limit.as_secs() / 60)
    }
}

impl Lock {
    /// Takes the lock of this folder for a bench, after any other process that has it; tells once for whom it
    /// waits.
    ///
    /// # Errors
    ///
    /// Why a run has to go on without it.
    pub(crate) fn acquire(
        folder: &Path,
        bench: &str,
        timeout: Timeout,
        say: impl FnOnce(&str),
    ) -> Result<Self, String> {
        let path = folder.join("bench_diff.lock");
        let cannot = |error: io::Error| {
            format!("cannot lock {}: {error}; another run may measure at the same time", path.display())
        };
        let lock = LockFile::open(&path).map_err(cannot)?;
        let mut wait = Wait::new(timeout.limit, Instant::now());
        let mut say = Some(say);
        loop {
            match lock.file.try_lock() {
                Ok(()) => return Ok(Self::held(lock, bench)),
                Err(TryLockError::Error(error)) => return Err(cannot(error)),
                Err(TryLockError::WouldBlock) => {}
            }
            let holder = Holder::of(&lock.file);
            if let Some(say) = say.take() {
                say(&format!(
                    "waiting for {}, which measures on this machine; for up to {}",
                    whom(holder.as_ref()),
                    timeout.limit()
                ));
            }
            if wait.is_over(holder.as_ref(), Instant::now()) {
                return Err(format!(
                    "{} still measures after {}; this run goes on beside it, which adds noise",
                    whom(holder.as_ref()),
                    timeout.limit()
                ));
            }
            thread::sleep(timeout.pause);
        }
    }

    /// Leaves a note for those who wait. Without one they do not know for whom, which is no reason to fail.
    fn held(mut lock: LockFile, bench: &str) -> Self {
        if lock.writable {
            #[cfg(unix)]
            {
                // Other users lock it as well, for which they have to read it, whatever the umask of the
                // first one.
                use std::os::unix::fs::PermissionsExt;
                let _ = lock.file.set_permissions(std::fs::Permissions::from_mode(0o644));
            }
            let file = &mut lock.file;
            let note = format!("{} {bench}\n", process::id());
            let _ =
                file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(note.as_bytes()));
        }
        Self(lock)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.0.writable {
            // The next holder may be another user, who cannot write over it.
            let _ = self.0.file.set_len(0);
        }
    }
}

// Where a locked file cannot be read, as on Windows, nobody knows for whom they wait.
#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    /// Ten minutes for whoever reads it, in a test that releases the lock at once.
    const LONG: Timeout = Timeout { pause: Duration::from_millis(1), ..Timeout::DEFAULT };
    const NONE: Timeout = Timeout { limit: Duration::ZERO, ..LONG };

    fn nobody(message: &str) {
        panic!("{message}");
    }

    #[test]
    fn a_second_one_waits_until_the_first_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let first = Lock::acquire(folder.path(), "sorting", LONG, nobody).unwrap();
        let mut messages = Vec::new();
        let second = Lock::acquire(folder.path(), "digits", LONG, |message| {
            messages.push(message.to_owned());
            drop(first);
        });
        assert!(second.is_ok());
        let this = process::id();
        assert_eq!(
            messages,
            [format!(
                "waiting for process {this} (bench sorting), which measures on this machine; for up to 10 minutes"
            )]
        );
        let note = || fs::read_to_string(folder.path().join("bench_diff.lock")).unwrap();
        assert_eq!(note(), format!("{this} digits\n"));
        drop(second);
        assert_eq!(note(), "");
    }

    #[test]
    fn waiting_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let _first = Lock::acquire(folder.path(), "sorting", LONG, nobody).unwrap();
        let mut said = 0;
        let second = Lock::acquire(folder.path(), "digits", NONE, |_| said += 1);
        let warning = second.unwrap_err();
        let start = format!("process {} (bench sorting) still measures after 0 minutes", process::id());
        assert!(warning.starts_with(&start), "{warning}");
        assert_eq!(said, 1);
        let note = fs::read_to_string(folder.path().join("bench_diff.lock")).unwrap();
        assert!(note.ends_with(" sorting\n"), "the note stays the holder's: {note}");
    }

    #[test]
    fn a_folder_without_a_lock_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let warning = Lock::acquire(&folder.path().join("absent"), "sorting", LONG, nobody).unwrap_err();
        assert!(warning.starts_with("cannot lock ") && warning.contains("bench_diff.lock: "), "{warning}");
    }

    /// A folder in its place stands for the file of another user: neither can be opened for writing.
    #[test]
    fn what_can_only_be_read_is_locked_as_well() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bench_diff.lock")).unwrap();
        let first = Lock::acquire(folder.path(), "sorting", LONG, nobody).unwrap();
        let warning = Lock::acquire(folder.path(), "digits", NONE, |_| ()).unwrap_err();
        assert!(warning.starts_with("another process still measures"), "{warning}");
        drop(first);
        // A process that another test starts just now has it for a moment as well.
        assert!(Lock::acquire(folder.path(), "digits", LONG, |_| ()).is_ok());
    }
}
