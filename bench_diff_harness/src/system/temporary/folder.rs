//! A new folder that is removed with all that is in it.

use std::env;
use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind};
use std::path::{self, Path, PathBuf};

use super::{Naming, left_over, new_locked, new_word, with_new_name};
use crate::system::{executable, input, owner};

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
            let lock = new_locked(&path.join(LOCK)).map_err(|error| match error.kind() {
                // Who saw it empty has removed it.
                ErrorKind::NotFound => ErrorKind::AlreadyExists.into(),
                _ => error,
            })?;
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
    for entry in input::entries(path).iter().filter(|entry| entry.file_name() != LOCK) {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let remove = if is_folder { fs::remove_dir_all } else { fs::remove_file };
        let _ = remove(entry.path());
    }
    let _ = fs::remove_dir_all(path);
}

/// Removes the folders of this naming that processes left in this one.
fn remove_folders_left_over(parent: &Path, naming: Naming) {
    for entry in input::entries(parent) {
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

#[cfg(test)]
mod tests {
    use super::super::tests::names;
    use super::*;

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
        drop(TempFolder::in_one_of(&[parent.path().to_owned()], "a-").unwrap());
        assert!(!own.exists());
        assert_eq!(foreign.join("inner").exists(), is_given_away);
    }
}
