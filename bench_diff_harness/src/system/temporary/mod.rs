//! New files and folders under names that nobody has, gone when nobody holds them any more.
//!
//! A process that is killed leaves its new files behind. Each is locked for as long as its process works on
//! it, and however that ends the system releases the lock: so the next one knows what it may remove.

mod file;
mod folder;

use std::collections::hash_map::RandomState;
use std::fs::{File, TryLockError};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

pub(crate) use self::file::TempFile;
pub(crate) use self::folder::{TempFolder, private};
use super::input;

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
    /// Whether it is one of these names.
    pub(crate) fn made(self, name: &str) -> bool {
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

/// A new file, locked for as long as it is open.
fn new_locked(path: &Path) -> io::Result<File> {
    let file = File::create_new(path)?;
    // Without locks it is as safe as its age.
    let _ = file.lock();
    // Who looked before it was locked has taken it for one that was left behind.
    if path.exists() { Ok(file) } else { Err(ErrorKind::AlreadyExists.into()) }
}

/// A word that nobody has: 16 hexadecimal digits.
pub(crate) fn new_word() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
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
    use std::fs;

    use super::*;

    /// What is in a folder.
    pub(super) fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
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
