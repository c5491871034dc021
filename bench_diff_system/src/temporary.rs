//! Temporary folders, which are removed after use.
//!
//! A killed process leaves its folders behind. A file in each folder is locked as long as its process uses
//! the folder, and the system releases the lock however the process ends, so the next process knows which
//! folders it may remove.

use std::collections::hash_map::RandomState;
use std::env;
use std::fs::{self, DirBuilder, File};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, ErrorKind};
use std::path::{self, Path, PathBuf};

use super::files::{cannot, is_own};
use super::{executable, input};

/// The file in a folder that is locked while the folder is used.
const LOCK: &str = "in_use";

/// The limit on attempts. This many names are taken only if the system rejects every name.
const TRIES: usize = 100;

/// A new folder for temporary files that only this user can access, removed with its content.
pub struct TempFolder {
    path: PathBuf,
    /// Locked as long as the folder is in use.
    lock: Option<File>,
}

impl TempFolder {
    /// Makes a folder for this run in the folder for temporary files, or else beside the executable.
    ///
    /// # Errors
    ///
    /// Why neither is possible, and the remedy.
    pub fn of_run() -> Result<Self, String> {
        Self::in_one_of([&env::temp_dir(), &executable::folder()])
    }

    fn in_one_of([first, second]: [&Path; 2]) -> Result<Self, String> {
        let variable = if cfg!(windows) { "TMP" } else { "TMPDIR" };
        Self::of_run_below(first).or_else(|first| {
            Self::of_run_below(second)
                .map_err(|second| format!("{first}, and {second}: set {variable} to a writable folder"))
        })
    }

    fn of_run_below(parent: &Path) -> Result<Self, String> {
        Self::below(parent, "bench_diff-").map_err(|error| cannot("make a folder in", parent, error))
    }

    /// Makes a folder with this prefix below this one. Folders left there by killed processes are removed.
    pub fn below(parent: &Path, start: &str) -> io::Result<Self> {
        // A function may change the current directory of this process.
        let parent = path::absolute(parent)?;
        remove_left_over(&parent, start);
        let mut made = Err(ErrorKind::NotFound.into());
        for _ in 0..TRIES {
            let path = parent.join(format!("{start}{}", new_word()));
            private().create(&path)?;
            made = locked(&path.join(LOCK)).map(|lock| Self { path, lock: Some(lock) });
            // If not found: a process that saw it before it was locked has removed it.
            if !matches!(&made, Err(error) if error.kind() == ErrorKind::NotFound) {
                break;
            }
        }
        made
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes a folder in this one under a new name, even if the outer one was removed.
    pub fn inner(&self) -> io::Result<InnerFolder> {
        let path = self.path.join(new_word());
        private().recursive(true).create(&path)?;
        Ok(InnerFolder(path))
    }
}

/// A folder in a temporary one, removed with its content.
pub struct InnerFolder(pub PathBuf);

impl Drop for InnerFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        remove(&self.path, self.lock.take());
    }
}

/// Creates a file that is locked as long as it is open.
fn locked(path: &Path) -> io::Result<File> {
    let file = File::create_new(path)?;
    // On a file system without locks, no folder ever counts as left behind.
    let _ = file.lock();
    if path.exists() { Ok(file) } else { Err(ErrorKind::NotFound.into()) }
}

/// Removes a folder and its lock file last, so that it counts as left behind until it is empty.
fn remove(path: &Path, lock: Option<File>) {
    for entry in input::entries(path).iter().filter(|entry| entry.file_name() != LOCK) {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let remove = if is_folder { fs::remove_dir_all } else { fs::remove_file };
        let _ = remove(entry.path());
    }
    // Before the lock is released: whoever waits for it in `locked` has to see that the file is gone.
    let _ = fs::remove_file(path.join(LOCK));
    // Not every Windows file system removes a folder with an open file.
    drop(lock);
    let _ = fs::remove_dir_all(path);
}

/// Removes the folders with this prefix that processes left behind in `parent`.
fn remove_left_over(parent: &Path, start: &str) {
    for entry in input::entries(parent) {
        // Another user could replace their own folder by something else while it is removed.
        let is_ours = entry.file_name().to_str().is_some_and(|name| is_made(start, name))
            && entry.metadata().is_ok_and(|metadata| metadata.is_dir() && is_own(&metadata));
        if !is_ours {
            continue;
        }
        // Another process may have removed it already.
        match input::open(&entry.path().join(LOCK)) {
            Ok(lock) if lock.try_lock().is_ok() => remove(&entry.path(), Some(lock)),
            Ok(_) => {}
            // A folder without a lock is removed if it is empty.
            Err(_) => drop(fs::remove_dir(entry.path())),
        }
    }
}

/// A unique word of 16 hexadecimal digits.
pub fn new_word() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Returns whether a name is this prefix followed by 16 hexadecimal digits.
pub fn is_made(start: &str, name: &str) -> bool {
    let word = name.strip_prefix(start).unwrap_or_default();
    word.len() == 16 && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A builder of folders that only this user can access.
#[cfg(unix)]
pub fn private() -> DirBuilder {
    use std::os::unix::fs::DirBuilderExt;

    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

/// A builder of folders. The folder for temporary files already belongs to this user.
#[cfg(not(unix))]
pub fn private() -> DirBuilder {
    DirBuilder::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn folders_made_at_once_do_not_count_as_left_over() {
        let parent = tempfile::tempdir().unwrap();
        let parent = parent.path();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..250 {
                        let folder = TempFolder::below(parent, "a-").unwrap();
                        fs::write(folder.path().join("file"), "").unwrap();
                    }
                });
            }
        });
        assert_eq!(names(parent), [""; 0]);
    }

    #[test]
    fn a_folder_is_removed_with_its_content() {
        let [absent, other] = ["absent", "other"].map(|name| env::temp_dir().join(name));
        let refusal = TempFolder::in_one_of([&absent, &other]).err().unwrap();
        let start = format!("cannot make a folder in {}: ", absent.display());
        let middle = format!(", and cannot make a folder in {}: ", other.display());
        assert!(refusal.starts_with(&start) && refusal.contains(&middle), "{refusal}");
        assert!(refusal.ends_with(" to a writable folder"), "{refusal}");
        assert!(TempFolder::in_one_of([&absent, &env::temp_dir()]).is_ok());
        let folder = TempFolder::of_run().unwrap();
        let path = folder.path().to_owned();
        fs::write(path.join("file"), "text").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        }
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn folders_left_over_are_removed_and_used_ones_stay() {
        let parent = tempfile::tempdir().unwrap();
        let working = TempFolder::below(parent.path(), "a-").unwrap();
        let foreign = ["a-FEDCBA9876543210", "a-0123", "a-mine", "b-0123456789abcdef"];
        for name in foreign.into_iter().chain(["a-0123456789abcdef"]) {
            fs::create_dir(parent.path().join(name)).unwrap();
            fs::write(parent.path().join(name).join(LOCK), "").unwrap();
        }
        drop(TempFolder::below(parent.path(), "a-").unwrap());
        assert!(working.path().exists() && !parent.path().join("a-0123456789abcdef").exists());
        assert_eq!(names(parent.path()).len(), foreign.len() + 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_of_another_user_stays() {
        let parent = tempfile::tempdir().unwrap();
        let [own, foreign] =
            ["a-0123456789abcdef", "a-fedcba9876543210"].map(|name| parent.path().join(name));
        for folder in [&own, &foreign] {
            fs::create_dir_all(folder.join("inner")).unwrap();
            fs::write(folder.join(LOCK), "").unwrap();
        }
        let is_given_away = std::os::unix::fs::chown(&foreign, Some(1), None).is_ok();
        drop(TempFolder::below(parent.path(), "a-").unwrap());
        assert!(!own.exists());
        assert_eq!(foreign.join("inner").exists(), is_given_away);
    }
}
