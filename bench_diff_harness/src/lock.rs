//! One measuring harness at a time on a machine: two would be each other's noise.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process;
use std::thread;
use std::time::{Duration, Instant};

/// Held as long as it lives. However the process ends, the system releases what it held.
#[derive(Debug)]
pub(crate) struct Lock(File);

/// How a process waits for another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    limit: Duration,
    /// Between two looks, which should not disturb whom they wait for.
    pause: Duration,
}

impl Patience {
    pub(crate) const DEFAULT: Self =
        Self { limit: Duration::from_secs(10 * 60), pause: Duration::from_millis(200) };

    fn limit(self) -> String {
        format!("{} minutes", self.limit.as_secs() / 60)
    }
}

impl Lock {
    /// Takes the lock of this folder for a bench, after any other process that has it; tells once for whom it waits.
    ///
    /// # Errors
    ///
    /// Why a run has to go on without it.
    pub(crate) fn acquire(
        folder: &Path,
        bench: &str,
        patience: Patience,
        tell: impl FnOnce(&str),
    ) -> Result<Self, String> {
        let path = folder.join("bench_diff.lock");
        let cannot = |error: io::Error| {
            format!("cannot lock {}: {error}; another run may measure at the same time", path.display())
        };
        let file = open(&path).map_err(cannot)?;
        let start = Instant::now();
        let mut tell = Some(tell);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self::held(file, bench)),
                Err(TryLockError::Error(error)) => return Err(cannot(error)),
                Err(TryLockError::WouldBlock) => {}
            }
            if let Some(tell) = tell.take() {
                tell(&format!(
                    "waiting for {}, which measures on this machine; for up to {}",
                    holder(&file),
                    patience.limit()
                ));
            }
            if start.elapsed() >= patience.limit {
                return Err(format!(
                    "{} still measures after {}; this run goes on beside it, which adds noise",
                    holder(&file),
                    patience.limit()
                ));
            }
            thread::sleep(patience.pause);
        }
    }

    /// Leaves a note for those who wait. Without one they do not know for whom, which is no reason to fail.
    fn held(mut file: File, bench: &str) -> Self {
        #[cfg(unix)]
        {
            // Other users lock it as well, for which they have to read it, whatever the umask of the first one.
            use std::os::unix::fs::PermissionsExt;
            let _ = file.set_permissions(std::fs::Permissions::from_mode(0o644));
        }
        let note = format!("{} {bench}\n", process::id());
        let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(note.as_bytes()));
        Self(file)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The next holder may be another user, who cannot write over it.
        let _ = self.0.set_len(0);
    }
}

/// Opens the file for writing, or the one of another user for reading, which is enough to lock it.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        // In a folder where anybody can write, a link could name a file of ours, and a pipe could keep us for ever.
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let writing = options.clone().write(true).create(true).truncate(false).open(path);
    writing.or_else(|error| options.open(path).map_err(|_| error))
}

/// Who left the note in the file.
fn holder(mut file: &File) -> String {
    let mut note = Vec::new();
    let read = file.rewind().and_then(|()| file.take(200).read_to_end(&mut note));
    let note = String::from_utf8_lossy(&note);
    let holder = note.trim().split_once(' ').filter(|(pid, _)| read.is_ok() && pid.parse::<u32>().is_ok());
    // Anybody may have written it: a terminal should not obey it.
    let printable = |text: &str| text.chars().filter(|c| !c.is_control()).collect::<String>();
    holder.map_or_else(
        || "another process".to_owned(),
        |(pid, bench)| format!("process {pid} (bench {})", printable(bench)),
    )
}

// Where a locked file cannot be read, as on Windows, nobody knows for whom they wait.
#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    /// Ten minutes for whoever reads it, in a test that releases the lock at once.
    const PATIENT: Patience = Patience { pause: Duration::from_millis(1), ..Patience::DEFAULT };
    const IMPATIENT: Patience = Patience { limit: Duration::ZERO, ..PATIENT };

    fn nobody(message: &str) {
        panic!("{message}");
    }

    #[test]
    fn a_second_one_waits_until_the_first_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let first = Lock::acquire(folder.path(), "sorting", PATIENT, nobody).unwrap();
        let mut told = Vec::new();
        let second = Lock::acquire(folder.path(), "digits", PATIENT, |message| {
            told.push(message.to_owned());
            drop(first);
        });
        assert!(second.is_ok());
        let this = process::id();
        assert_eq!(
            told,
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
        let _first = Lock::acquire(folder.path(), "sorting", PATIENT, nobody).unwrap();
        let mut told = 0;
        let second = Lock::acquire(folder.path(), "digits", IMPATIENT, |_| told += 1);
        let warning = second.unwrap_err();
        let start = format!("process {} (bench sorting) still measures after 0 minutes", process::id());
        assert!(warning.starts_with(&start), "{warning}");
        assert_eq!(told, 1);
        let note = fs::read_to_string(folder.path().join("bench_diff.lock")).unwrap();
        assert!(note.ends_with(" sorting\n"), "the note stays the holder's: {note}");
    }

    #[test]
    fn a_folder_without_a_lock_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let warning = Lock::acquire(&folder.path().join("absent"), "sorting", PATIENT, nobody).unwrap_err();
        assert!(warning.starts_with("cannot lock ") && warning.contains("bench_diff.lock: "), "{warning}");
    }

    #[test]
    fn a_note_is_read_with_care() {
        let folder = tempfile::tempdir().unwrap();
        let whoever = "another process";
        for (note, expected) in [
            ("1234 sorting\n", "process 1234 (bench sorting)"),
            ("1234 sor\u{1b}[31mting\n", "process 1234 (bench sor[31mting)"),
            ("", whoever),
            ("1234", whoever),
            ("-7 sorting", whoever),
            ("\u{1b}[2J sorting", whoever),
        ] {
            let path = folder.path().join("note");
            fs::write(&path, note).unwrap();
            assert_eq!(holder(&File::open(&path).unwrap()), expected, "{note:?}");
        }
    }

    /// A folder in its place stands for the file of another user: neither can be opened for writing.
    #[test]
    fn what_can_only_be_read_is_locked_as_well() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bench_diff.lock")).unwrap();
        let first = Lock::acquire(folder.path(), "sorting", PATIENT, nobody).unwrap();
        let warning = Lock::acquire(folder.path(), "digits", IMPATIENT, |_| ()).unwrap_err();
        assert!(warning.starts_with("another process still measures"), "{warning}");
        drop(first);
        assert!(Lock::acquire(folder.path(), "digits", IMPATIENT, nobody).is_ok());
    }

    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let precious = folder.path().join("precious");
        fs::write(&precious, "a text").unwrap();
        std::os::unix::fs::symlink(&precious, folder.path().join("bench_diff.lock")).unwrap();
        assert!(Lock::acquire(folder.path(), "sorting", PATIENT, nobody).is_err());
        assert_eq!(fs::read_to_string(precious).unwrap(), "a text");
    }
}
