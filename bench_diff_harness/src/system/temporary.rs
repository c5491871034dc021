//! New files and folders under names that nobody has, gone when nobody holds them any more.
//!
//! A process that is killed leaves its new files behind. Each is locked for as long as its process works on
//! it, and however that ends the system releases the lock: so the next one knows what it may remove.

use std::collections::hash_map::RandomState;
use std::env;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, ErrorKind};
use std::path::{self, Path, PathBuf};
use std::time::Duration;

use super::{executable, input, owner};

/// More names than this are never taken, unless the system says so of all of them.
const TRIES: usize = 100;

/// Where a file system knows no locks, nobody still works on a file of this age.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// What the names of new files begin and end with, around 16 hexadecimal digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Naming {
    pub(crate) start: &'static str,
    pub(crate) end: &'static str,
}

impl Naming {
    /// Removes the files of this naming that processes left in this folder when they were killed.
    pub(crate) fn remove_leftovers(self, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_some_and(|name| self.made(name))
                && let Some(_locked) = left_over(&entry.path())
            {
                // Another process may have been faster.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Whether it is one of these names.
    fn made(self, name: &str) -> bool {
        let chance = name.strip_prefix(self.start).and_then(|rest| rest.strip_suffix(self.end));
        chance.is_some_and(|chance| {
            chance.len() == 16 && chance.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        })
    }
}

/// The file, which is then locked, if no process works on it any more.
fn left_over(path: &Path) -> Option<File> {
    let file = input::open(path).ok()?;
    let is_left_over = match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => {
            let modified = file.metadata().and_then(|metadata| metadata.modified());
            modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > OLD))
        }
    };
    is_left_over.then_some(file)
}

/// A new file, with the permissions of any other. It is removed unless it is given its name.
pub(crate) struct TempFile {
    file: File,
    place: RemovedFile,
}

/// None once it is not to be removed.
struct RemovedFile(Option<PathBuf>);

impl TempFile {
    /// A file in this folder.
    pub(crate) fn new(folder: &Path, Naming { start, end }: Naming) -> io::Result<Self> {
        with_new_name(start, end, |name| {
            let path = folder.join(name);
            let file = File::create_new(&path)?;
            // Without locks it is as safe as its age.
            let _ = file.lock();
            // Who looked before it was locked has taken it for one that was left behind.
            if !path.exists() {
                return Err(ErrorKind::AlreadyExists.into());
            }
            Ok(Self { file, place: RemovedFile(Some(path)) })
        })
    }

    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives it this name, in place of whatever had it.
    pub(crate) fn persist(mut self, name: &Path) -> io::Result<File> {
        if let Some(path) = &self.place.0 {
            fs::rename(path, name)?;
        }
        self.place.0 = None;
        // Where a lock keeps others from reading, it is for readers from here on.
        let _ = self.file.unlock();
        Ok(self.file)
    }
}

impl Drop for RemovedFile {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

/// A new folder for temporary files, removed with all that is in it, that only this user can look into.
pub(crate) struct TempFolder {
    path: PathBuf,
    /// Locked for as long as the folder is in use.
    _lock: File,
}

/// The file in a folder that is locked while the folder is in use.
const LOCK: &str = "in_use";

impl TempFolder {
    /// One of this run, where temporary files go or else beside the program.
    pub(crate) fn of_run() -> io::Result<Self> {
        Self::in_one_of(&[env::temp_dir(), executable::folder()], "bench_diff-")
    }

    /// A folder whose name starts like this, below the first of these where there can be one. Those go that
    /// other processes left behind there when they were killed.
    pub(crate) fn in_one_of(parents: &[PathBuf], start: &'static str) -> io::Result<Self> {
        let mut first = None;
        for parent in parents {
            match Self::below(parent, start) {
                Ok(folder) => return Ok(folder),
                Err(error) => first = first.or(Some(error)),
            }
        }
        Err(first.unwrap_or_else(|| ErrorKind::NotFound.into()))
    }

    fn below(parent: &Path, start: &'static str) -> io::Result<Self> {
        let builder = private();
        // A function may change the folder in which this process works.
        let parent = path::absolute(parent)?;
        remove_folders_left_over(&parent, Naming { start, end: "" });
        with_new_name(start, "", |name| {
            let path = parent.join(name);
            builder.create(&path)?;
            let lock = match File::create_new(path.join(LOCK)) {
                // Who saw it empty has removed it.
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Err(ErrorKind::AlreadyExists.into());
                }
                lock => lock?,
            };
            // Without locks it is as safe as its age.
            let _ = lock.lock();
            // Who looked before it was locked has taken it for one that was left behind.
            if !path.join(LOCK).exists() {
                return Err(ErrorKind::AlreadyExists.into());
            }
            Ok(Self { path, _lock: lock })
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A new folder in it, also where somebody has removed it, under a name that nobody has.
    pub(crate) fn inner(&self) -> io::Result<InnerFolder> {
        let path = self.path.join(new_word());
        private().recursive(true).create(&path)?;
        Ok(InnerFolder(path))
    }
}

/// A folder in a temporary one, removed with all that is in it.
pub(crate) struct InnerFolder(pub(crate) PathBuf);

impl Drop for InnerFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        remove_folder(&self.path);
    }
}

/// Removes a folder, and its lock last, so that it is known for one that was left behind until it is empty.
fn remove_folder(path: &Path) {
    for entry in fs::read_dir(path).into_iter().flatten().flatten().filter(|entry| entry.file_name() != LOCK)
    {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let remove = if is_folder { fs::remove_dir_all } else { fs::remove_file };
        let _ = remove(entry.path());
    }
    let _ = fs::remove_dir_all(path);
}

/// Removes the folders of this naming that processes left in this one.
fn remove_folders_left_over(parent: &Path, naming: Naming) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        // Another user could put something else in the place of his folder while it is removed.
        let is_ours = entry.file_name().to_str().is_some_and(|name| naming.made(name))
            && entry.metadata().is_ok_and(|metadata| metadata.is_dir() && owner::is_own(&metadata));
        if !is_ours {
            continue;
        }
        // Another process may have been faster.
        match left_over(&entry.path().join(LOCK)) {
            Some(_locked) => remove_folder(&entry.path()),
            // One without a lock goes if it is empty.
            None => drop(fs::remove_dir(entry.path())),
        }
    }
}

/// A word that nobody has: 16 hexadecimal digits.
pub(crate) fn new_word() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Makes folders that only this user can look into.
#[cfg(unix)]
pub(crate) fn private() -> DirBuilder {
    use std::os::unix::fs::DirBuilderExt;

    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

/// The folder for temporary files is that of this user.
#[cfg(not(unix))]
pub(crate) fn private() -> DirBuilder {
    DirBuilder::new()
}

fn with_new_name<T>(start: &str, end: &str, create: impl Fn(&str) -> io::Result<T>) -> io::Result<T> {
    let mut result = Err(ErrorKind::AlreadyExists.into());
    for _ in 0..TRIES {
        result = create(&format!("{start}{}{end}", new_word()));
        match &result {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            _ => break,
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::io::Write;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    const NAMING: Naming = Naming { start: ".a-", end: ".b" };

    #[test]
    fn a_file_is_gone_unless_it_is_given_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = TempFile::new(folder.path(), NAMING).unwrap();
        let other = TempFile::new(folder.path(), NAMING).unwrap();
        assert!(names(folder.path()).iter().all(|name| NAMING.made(name)));
        drop(other);
        let named = folder.path().join("named");
        fs::write(&named, "old").unwrap();
        file.file().write_all(b"new").unwrap();
        let mut file = file.persist(&named).unwrap();
        assert_eq!(names(folder.path()), ["named"]);
        file.write_all(b" and more").unwrap();
        assert_eq!(fs::read_to_string(&named).unwrap(), "new and more");
    }

    #[test]
    fn a_file_that_cannot_have_its_name_is_gone_as_well() {
        let folder = tempfile::tempdir().unwrap();
        let file = TempFile::new(folder.path(), NAMING).unwrap();
        file.persist(&folder.path().join("absent/name")).unwrap_err();
        assert_eq!(names(folder.path()), [""; 0]);
        let error = TempFile::new(&folder.path().join("absent"), NAMING).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::NotFound);
    }

    #[test]
    fn folders_that_are_made_at_once_are_not_taken_for_left_over() {
        let parent = tempfile::tempdir().unwrap();
        let parents = [parent.path().to_owned()];
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..250 {
                        let folder = TempFolder::in_one_of(&parents, "a-").unwrap();
                        fs::write(folder.path().join("file"), "").unwrap();
                    }
                });
            }
        });
        assert_eq!(names(parent.path()), [""; 0]);
    }

    #[test]
    fn what_was_left_behind_goes_and_what_is_worked_on_stays() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(".a-0123456789abcdef.b");
        let foreign = [".a-0123456789ABCDEF.b", ".a-0123.b", ".a-mine.b", "a-0123456789abcdef.b"];
        for name in foreign {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::write(&left, "half").unwrap();
        let mut worked_on = TempFile::new(folder.path(), NAMING).unwrap();
        NAMING.remove_leftovers(folder.path());
        assert!(!left.exists());
        assert_eq!(names(folder.path()).len(), foreign.len() + 1);
        worked_on.file().write_all(b"whole").unwrap();
        worked_on.persist(&left).unwrap();
        assert_eq!(fs::read_to_string(left).unwrap(), "whole");
    }

    #[test]
    fn a_folder_goes_with_what_is_in_it() {
        let absent = env::temp_dir().join("absent");
        assert!(TempFolder::in_one_of(std::slice::from_ref(&absent), "bench_diff-").is_err());
        let folder = TempFolder::in_one_of(&[absent, env::temp_dir()], "bench_diff-").unwrap();
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
    fn a_name_that_is_taken_is_not_the_last_try() {
        let tries = std::cell::Cell::new(0);
        let taken = |until: usize| {
            with_new_name("a", "b", |name| {
                tries.set(tries.get() + 1);
                if tries.get() < until { Err(ErrorKind::AlreadyExists.into()) } else { Ok(name.to_owned()) }
            })
        };
        assert!(taken(3).unwrap().starts_with('a'));
        tries.set(0);
        assert_eq!(taken(usize::MAX).unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(tries.get(), TRIES);
    }
}
