//! New files and folders under names that nobody has, gone when nobody holds them any more.

use std::collections::hash_map::RandomState;
use std::env;
use std::fs::{self, DirBuilder, File};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, ErrorKind};
use std::path::{self, Path, PathBuf};

/// More names than this are never taken, unless the system says so of all of them.
const TRIES: usize = 100;

/// A new file, with the permissions of any other. It is removed unless it is given its name.
pub(crate) struct FreshFile {
    file: File,
    place: RemovedFile,
}

/// None once it is not to be removed.
struct RemovedFile(Option<PathBuf>);

impl FreshFile {
    /// A file in this folder whose name starts and ends like this.
    pub(crate) fn new(folder: &Path, start: &str, end: &str) -> io::Result<Self> {
        with_new_name(start, end, |name| {
            let path = folder.join(name);
            let file = File::create_new(&path)?;
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
pub(crate) struct FreshFolder(PathBuf);

impl FreshFolder {
    /// A folder whose name starts like this.
    pub(crate) fn new(start: &str) -> io::Result<Self> {
        let builder = private();
        // A function may change the folder in which this process works.
        let parent = path::absolute(env::temp_dir())?;
        with_new_name(start, "", |name| {
            let path = parent.join(name);
            builder.create(&path).map(|()| Self(path))
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for FreshFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(unix)]
fn private() -> DirBuilder {
    use std::os::unix::fs::DirBuilderExt;

    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

/// The folder for temporary files is that of this user.
#[cfg(not(unix))]
fn private() -> DirBuilder {
    DirBuilder::new()
}

fn with_new_name<T>(start: &str, end: &str, create: impl Fn(&str) -> io::Result<T>) -> io::Result<T> {
    let mut result = Err(ErrorKind::AlreadyExists.into());
    for _ in 0..TRIES {
        let chance = RandomState::new().build_hasher().finish();
        result = create(&format!("{start}{chance:016x}{end}"));
        match &result {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            _ => break,
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_gone_unless_it_is_given_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = FreshFile::new(folder.path(), ".a-", ".b").unwrap();
        let other = FreshFile::new(folder.path(), ".a-", ".b").unwrap();
        assert!(names(folder.path()).iter().all(|name| name.starts_with(".a-") && name.ends_with(".b")));
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
        let file = FreshFile::new(folder.path(), ".a-", "").unwrap();
        file.persist(&folder.path().join("absent/name")).unwrap_err();
        assert_eq!(names(folder.path()), [""; 0]);
        let error = FreshFile::new(&folder.path().join("absent"), "", "").err().unwrap();
        assert_eq!(error.kind(), ErrorKind::NotFound);
    }

    #[test]
    fn a_folder_goes_with_what_is_in_it() {
        let folder = FreshFolder::new("bench_diff-").unwrap();
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
