//! A new file that is removed unless it is given its name.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::{Naming, left_over, new_locked, with_new_name};
use crate::system::input;

impl Naming {
    /// Removes the files of this naming that processes left in this folder when they were killed.
    pub(crate) fn remove_leftovers(self, folder: &Path) {
        for entry in input::entries(folder) {
            if entry.file_name().to_str().is_some_and(|name| self.made(name))
                && let Some(_locked) = left_over(&entry.path())
            {
                // Another process may have been faster.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
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
            Ok(Self { file: new_locked(&path)?, place: RemovedFile(Some(path)) })
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

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Write};

    use super::super::tests::names;
    use super::*;

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
}
