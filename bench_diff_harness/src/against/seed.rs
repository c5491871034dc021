//! Copies the built crates of registries and of the harness into a target directory that has nothing yet.
//!
//! Cargo takes a crate for built that has its fingerprint and its files, with their times. Crates of folders
//! in a workspace have the same names on both sides, so none of theirs is copied: the new code would be taken
//! for the old. Outside of it the folder is part of the names, and cargo compares the times of the sources.

use std::fs;
use std::io;
use std::path::Path;

use super::lock_file::{self, Package};
use crate::system::input;
use crate::system::tree::copy;

/// Copies the folder of a profile in the one target directory into another one that is not there, without the
/// crates that these lock files know in folders, but for a harness that is shared by both sides.
pub(super) fn seed(
    from: &Path,
    profile: &Path,
    lock: &str,
    shared: Option<Package<'_>>,
    to: &Path,
) -> io::Result<()> {
    // One that is not whole could be taken for what was built.
    let passing = to.with_extension("passing");
    let _ = fs::remove_dir_all(&passing);
    let of_folders: Vec<&str> = lock_file::packages(lock)
        .filter(|package| package.source.is_none() && !shared.is_some_and(|harness| package.is_of(&harness)))
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
fn copy_crates(from: &Path, left_out: &[&str], to: &Path) -> io::Result<()> {
    for entry in input::entries(from) {
        let (name, path) = (entry.file_name(), entry.path());
        let is_folder = path.is_dir();
        // Newer versions of cargo have a folder `name`.
        let of_folder = || name.to_str().filter(|_| is_folder);
        let Some(package) = name.to_str().and_then(package).or_else(of_folder) else { continue };
        let is_library = path.extension().is_some_and(|end| LIBRARIES.iter().any(|library| end == *library));
        if !is_library && !is_folder {
            continue;
        }
        let is_left_out =
            |package: &str| left_out.iter().any(|name| *name == package || name.replace('-', "_") == package);
        if !is_left_out(package) && !package.strip_prefix("lib").is_some_and(is_left_out) {
            copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}

/// The package by the name of a file: `name-0123456789abcdef`, which a library has behind `lib`.
fn package(name: &str) -> Option<&str> {
    let (package, end) = name.rsplit_once('-')?;
    end.get(..16)?.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(package)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    use tempfile::TempDir;

    use super::*;

    /// A target directory with these files, all of the same time.
    fn built(files: &[&str]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join("main/release").join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "1").unwrap();
            File::options().write(true).open(&path).unwrap().set_modified(long_ago()).unwrap();
        }
        folder
    }

    fn long_ago() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)
    }

    fn lock(packages: &[(&str, &str, &str)]) -> String {
        let package = |(name, version, more): &(&str, &str, &str)| {
            format!("\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n{more}")
        };
        packages.iter().map(package).collect()
    }

    #[test]
    fn what_folders_have_is_left_out() {
        let files = [
            ".fingerprint/itoa-11462d32dd4f4b62/lib-itoa.json",
            ".fingerprint/my-crate-11462d32dd4f4b63/lib-my_crate.json",
            "build/libc-11462d32dd4f4b64/out/x",
            "deps/libitoa-11462d32dd4f4b62.rlib",
            "deps/libmy_crate-11462d32dd4f4b63.rlib",
            "deps/my_crate-11462d32dd4f4b63.d",
            "deps/sorting-11462d32dd4f4b65",
            "incremental/itoa-1/x",
            "build/itoa/11462d32dd4f4b66/out/libitoa-11462d32dd4f4b66.rlib",
            "build/my-crate/11462d32dd4f4b67/out/libmy_crate-11462d32dd4f4b67.rlib",
        ];
        let folder = built(&files);
        let lock = lock(&[("my-crate", "1.0.0", ""), ("itoa", "1.0.0", "source = \"registry\"\n")]);
        let to = folder.path().join("target");
        // As one that was killed has left it.
        fs::create_dir_all(folder.path().join("target.passing/x")).unwrap();
        seed(&folder.path().join("main"), Path::new("absent/release"), &lock, None, &to).unwrap();
        let there = files.map(|file| to.join("release").join(file).exists());
        assert_eq!(there, [true, false, true, true, false, false, false, false, true, false]);
        let copied = fs::metadata(to.join("release").join(files[0])).unwrap();
        assert_eq!(copied.modified().unwrap(), long_ago());
        assert!(!folder.path().join("target.passing").exists());
    }

    #[test]
    fn a_harness_of_both_sides_is_copied() {
        let files = [
            ".fingerprint/bench_diff_harness-11462d32dd4f4b62/dep-lib-bench_diff_harness",
            "deps/libbench_diff_harness-11462d32dd4f4b62.rlib",
            "deps/libbench_diff_core-11462d32dd4f4b63.rmeta",
            "deps/libbench_diff_macros-11462d32dd4f4b64.so",
            "deps/libmy_crate-11462d32dd4f4b65.rlib",
        ];
        let copied = |lock: &str, is_shared| {
            let folder = built(&files);
            let (from, to) = (folder.path().join("main"), folder.path().join("target"));
            let shared = lock_file::harness(lock).filter(|_| is_shared);
            seed(&from, Path::new("release"), lock, shared, &to).unwrap();
            files.map(|file| to.join("release").join(file).exists())
        };
        let [harness, core, mine] = ["bench_diff_harness", "bench_diff_core", "my-crate"];
        let of_one_folder = lock(&[
            (harness, "0.1.0", ""),
            (core, "0.1.0", ""),
            ("bench_diff_macros", "0.1.0", ""),
            (mine, "0.1.0", ""),
        ]);
        assert_eq!(copied(&of_one_folder, true), [true, true, true, true, false]);
        assert_eq!(copied(&of_one_folder, false), [false; 5]);

        // Crates of the user that have such a name.
        let with_other =
            lock(&[(harness, "0.1.0", ""), (core, "0.1.0", ""), (core, "0.2.0", ""), (mine, "0.1.0", "")]);
        assert_eq!(copied(&with_other, true), [true, true, false, true, false]);
        let registry = "source = \"registry\"\n";
        let with_patch = lock(&[(harness, "0.1.0", registry), (core, "0.1.0", ""), (mine, "0.1.0", "")]);
        assert_eq!(copied(&with_patch, true), [true, true, false, true, false]);
    }
}
