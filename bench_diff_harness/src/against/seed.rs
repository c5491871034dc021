//! Copies the built crates of registries into a target directory that has nothing yet.
//!
//! Cargo takes a crate for built that has its fingerprint and its files, with their times. Crates of folders
//! have the same names on both sides, so none of theirs is copied: the new code would be taken for the old.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::lock_file;
use crate::system::input;

/// Copies the folder of a profile in the one target directory into another one that is not there, without the
/// crates that this lock file knows in folders.
pub(super) fn seed(from: &Path, profile: &Path, lock: &str, to: &Path) -> io::Result<()> {
    // One that is not whole could be taken for what was built.
    let passing = to.with_extension("passing");
    let _ = fs::remove_dir_all(&passing);
    let of_folders: BTreeSet<&str> = lock_file::packages(lock)
        .filter(|package| package.source.is_none())
        .map(|package| package.name)
        .collect();
    // What runs while it is built, such as macros, is not below the triple.
    let mut profiles = vec![profile, Path::new(profile.file_name().unwrap_or_default())];
    profiles.dedup();
    for profile in profiles {
        for kind in [".fingerprint", "build", "deps"] {
            copy_crates(&from.join(profile).join(kind), &of_folders, &passing.join(profile).join(kind))?;
        }
    }
    fs::create_dir_all(&passing)?;
    fs::rename(&passing, to)
}

/// The kinds of files that are no program; each build makes its own programs.
const LIBRARIES: [&str; 6] = ["rlib", "rmeta", "d", "so", "dylib", "dll"];

/// Copies what is of other crates than these.
fn copy_crates(from: &Path, left_out: &BTreeSet<&str>, to: &Path) -> io::Result<()> {
    for entry in input::entries(from) {
        let name = entry.file_name();
        // `name-0123456789abcdef`, which a library has behind `lib`.
        let Some(package) = name.to_str().and_then(|name| Some(name.rsplit_once('-')?.0)) else { continue };
        let is_library =
            entry.path().extension().is_some_and(|end| LIBRARIES.iter().any(|library| end == *library));
        if !is_library && !entry.path().is_dir() {
            continue;
        }
        let is_left_out =
            |package: &str| left_out.iter().any(|name| *name == package || name.replace('-', "_") == package);
        if !is_left_out(package) && !package.strip_prefix("lib").is_some_and(is_left_out) {
            copy(&entry.path(), &to.join(name))?;
        }
    }
    Ok(())
}

/// Copies a file or a folder with the times of its files.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        return fs::read_dir(from)?.try_for_each(|entry| {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))
        });
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to)?;
    let modified = fs::metadata(from)?.modified()?;
    // What a build script wrote may be read-only.
    File::options().write(true).open(to).or_else(|_| File::open(to))?.set_modified(modified)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn what_folders_have_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let files = [
            ".fingerprint/itoa-11462d32dd4f4b62/lib-itoa.json",
            ".fingerprint/my-crate-11462d32dd4f4b63/lib-my_crate.json",
            "build/libc-11462d32dd4f4b64/out/x",
            "deps/libitoa-11462d32dd4f4b62.rlib",
            "deps/libmy_crate-11462d32dd4f4b63.rlib",
            "deps/my_crate-11462d32dd4f4b63.d",
            "deps/sorting-11462d32dd4f4b65",
            "incremental/itoa-1/x",
        ];
        for file in files {
            let path = folder.path().join("main/release").join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "1").unwrap();
            File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        }
        let lock = "\n[[package]]\nname = \"my-crate\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"itoa\"\nversion = \"1.0.0\"\nsource = \"registry\"\n";
        let to = folder.path().join("target");
        // As one that was killed has left it.
        fs::create_dir_all(folder.path().join("target.passing/x")).unwrap();
        seed(&folder.path().join("main"), Path::new("absent/release"), lock, &to).unwrap();
        let there = files.map(|file| to.join("release").join(file).exists());
        assert_eq!(there, [true, false, true, true, false, false, false, false]);
        let copied = fs::metadata(to.join("release").join(files[0])).unwrap();
        assert_eq!(copied.modified().unwrap(), long_ago);
        assert!(!folder.path().join("target.passing").exists());
    }
}
