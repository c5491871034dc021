//! One measuring harness at a time on a machine: two would disturb each other.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process;
use std::thread;
use std::time::{Duration, Instant};

/// The lock, held as long as it lives. However the process ends, the system releases it.
#[derive(Debug)]
pub(crate) struct Lock(File);

/// The waiting time for one holder: in a long queue, a process waits for many.
pub(crate) const LONGEST: Duration = Duration::from_secs(10 * 60);

/// The pause between two attempts, long enough not to disturb the holder.
const PAUSE: Duration = Duration::from_millis(200);

impl Lock {
    /// Takes the lock of this folder for a bench after any other process that has it; says once which one it
    /// waits for.
    ///
    /// # Errors
    ///
    /// The reason why a run has to go on without it.
    pub(crate) fn acquire(
        folder: &Path,
        bench: &str,
        limit: Duration,
        say: impl FnOnce(&str),
    ) -> Result<Self, String> {
        let path = folder.join("bench_diff.lock");
        let cannot = |error: io::Error| {
            format!("cannot lock {}: {error}; another run may measure at the same time", path.display())
        };
        let file = open(&path).map_err(cannot)?;
        let minutes = limit.as_secs() / 60;
        let (mut holder, mut since) = (String::new(), Instant::now());
        let mut say = Some(say);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self::held(file, bench)),
                Err(TryLockError::Error(error)) => return Err(cannot(error)),
                Err(TryLockError::WouldBlock) => {}
            }
            let now = note(&file);
            if now != holder {
                (holder, since) = (now, Instant::now());
            }
            let whom = if holder.is_empty() { "another process" } else { &holder };
            if let Some(say) = say.take() {
                say(&format!(
                    "waiting for {whom}, which measures on this machine, for up to {minutes} minutes"
                ));
            }
            if since.elapsed() >= limit {
                return Err(format!(
                    "{whom} still measures after {minutes} minutes; this run goes on beside it, which adds noise"
                ));
            }
            thread::sleep(PAUSE);
        }
    }

    /// Writes a note for waiting processes. Without it they do not know the holder, which is no reason to
    /// fail.
    fn held(mut file: File, bench: &str) -> Self {
        #[cfg(unix)]
        {
            // Other users lock it as well and must be able to read it, whatever the umask of the first one.
            use std::os::unix::fs::PermissionsExt;
            let _ = file.set_permissions(std::fs::Permissions::from_mode(0o644));
        }
        let note = format!("process {} (bench {bench})", process::id());
        let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(note.as_bytes()));
        Self(file)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The next holder may be another user, who cannot overwrite the note.
        let _ = self.0.set_len(0);
    }
}

/// Opens the file for writing, or for reading if it belongs to another user, which is enough to lock it.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        // Any user can write to this folder: a link could name another file of ours, and a pipe could block
        // us forever.
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let writing = options.clone().write(true).create(true).truncate(false).open(path);
    writing.or_else(|error| options.open(path).map_err(|_| error))
}

/// The note of the holder. Any user may have written it, so it must not control the terminal.
fn note(mut file: &File) -> String {
    let mut note = Vec::new();
    let _ = file.rewind().and_then(|()| file.take(200).read_to_end(&mut note));
    String::from_utf8_lossy(&note).chars().filter(|c| !c.is_control()).collect()
}

// A locked file cannot be read on Windows, so the message does not name the holder there.
#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn nobody(message: &str) {
        panic!("{message}");
    }

    #[test]
    fn a_second_one_waits_until_the_first_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let first = Lock::acquire(folder.path(), "sorting", LONGEST, nobody).unwrap();
        let mut messages = Vec::new();
        let second = Lock::acquire(folder.path(), "digits", LONGEST, |message| {
            messages.push(message.to_owned());
            drop(first);
        });
        assert!(second.is_ok());
        let this = process::id();
        assert_eq!(
            messages,
            [format!(
                "waiting for process {this} (bench sorting), which measures on this machine, for up to 10 minutes"
            )]
        );
        let note = || fs::read_to_string(folder.path().join("bench_diff.lock")).unwrap();
        assert_eq!(note(), format!("process {this} (bench digits)"));
        drop(second);
        assert_eq!(note(), "");
    }

    #[test]
    fn waiting_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let _first = Lock::acquire(folder.path(), "sor\u{1b}[31mting", LONGEST, nobody).unwrap();
        let mut said = 0;
        let second = Lock::acquire(folder.path(), "digits", Duration::ZERO, |_| said += 1);
        let warning = second.unwrap_err();
        let start = format!("process {} (bench sor[31mting) still measures after 0 minutes", process::id());
        assert!(warning.starts_with(&start), "{warning}");
        assert_eq!(said, 1);
        let note = fs::read_to_string(folder.path().join("bench_diff.lock")).unwrap();
        assert!(note.contains("31mting"), "the note stays the holder's: {note}");
    }

    #[test]
    fn a_folder_without_a_lock_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let warning = Lock::acquire(&folder.path().join("absent"), "sorting", LONGEST, nobody).unwrap_err();
        assert!(warning.starts_with("cannot lock ") && warning.contains("bench_diff.lock: "), "{warning}");
    }

    #[test]
    fn a_symbolic_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let precious = folder.path().join("precious");
        fs::write(&precious, "a text").unwrap();
        symlink(&precious, folder.path().join("bench_diff.lock")).unwrap();
        assert!(Lock::acquire(folder.path(), "sorting", LONGEST, nobody).is_err());
        assert_eq!(fs::read_to_string(precious).unwrap(), "a text");
    }

    /// A folder in its place stands for the file of another user: neither can be opened for writing.
    #[test]
    fn what_can_only_be_read_is_locked_as_well() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bench_diff.lock")).unwrap();
        let first = Lock::acquire(folder.path(), "sorting", LONGEST, nobody).unwrap();
        let warning = Lock::acquire(folder.path(), "digits", Duration::ZERO, |_| ()).unwrap_err();
        assert!(warning.starts_with("another process still measures"), "{warning}");
        drop(first);
        // A process that another test has just started inherits the lock for a moment.
        assert!(Lock::acquire(folder.path(), "digits", LONGEST, |_| ()).is_ok());
    }
}
