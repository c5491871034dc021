//! Copies existing builds of third-party crates and of the harness into a new target directory.
//!
//! Cargo regards a crate as built if its fingerprint and its files exist, with their times. Crates in the
//! workspace have the same names on both sides, so none of them is copied: cargo would take the new code for
//! the old. For a crate outside the workspace, the folder is part of the name, and cargo compares the times
//! of the sources.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

use bench_diff_system::files::copy;
use bench_diff_system::input;

/// Copies what was built of these packages in the folder of a profile from one target directory to another
/// one that does not exist yet.
pub(super) fn seed(from: &Path, profile: &Path, to: &Path, packages: &HashSet<String>) -> io::Result<()> {
    // An incomplete copy must not look like a complete target directory.
    let passing = to.with_extension("passing");
    let _ = fs::remove_dir_all(&passing);
    // Crates that run during the build, such as macros, are not below the triple.
    let mut profiles = vec![profile, Path::new(profile.file_name().unwrap_or_default())];
    profiles.dedup();
    for profile in profiles {
        let mut hashes = HashSet::new();
        for kind in [".fingerprint", "build", "deps"].map(|kind| profile.join(kind)) {
            for path in input::entries(&from.join(&kind)).into_iter().map(|entry| entry.path()) {
                let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
                // `PACKAGE-HASH`, or for newer versions of cargo `PACKAGE` with a folder for each hash; the
                // libraries have other names and the same hashes.
                let (package, hash) = name.rsplit_once('-').unwrap_or_default();
                if packages.contains(package) && hash.len() == HASH {
                    hashes.insert(hash.to_owned());
                }
                if hashes.contains(hash) || packages.contains(name) {
                    copy(&path, &passing.join(&kind).join(path.file_name().unwrap_or_default()))?;
                }
            }
        }
    }
    fs::create_dir_all(&passing)?;
    fs::rename(&passing, to)
}

/// The length of a hash.
const HASH: usize = 16;

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    use tempfile::TempDir;

    use super::*;

    /// A target directory with these files, all with the same time.
    fn built(files: &[(&str, &str)]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = folder.path().join("main/release").join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            File::options().write(true).open(&path).unwrap().set_modified(long_ago()).unwrap();
        }
        folder
    }

    fn long_ago() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)
    }

    /// For each of these files, whether it is copied.
    fn copied(files: &[(&str, &str)]) -> (Vec<bool>, TempDir) {
        let folder = built(files);
        let to = folder.path().join("target");
        // As after a killed process.
        fs::create_dir_all(folder.path().join("target.passing/x")).unwrap();
        seed(
            &folder.path().join("main"),
            Path::new("absent/release"),
            &to,
            &["itoa", "my-libc"].map(str::to_owned).into(),
        )
        .unwrap();
        assert!(!folder.path().join("target.passing").exists());
        (files.iter().map(|(file, _)| to.join("release").join(file).exists()).collect(), folder)
    }

    #[test]
    fn units_of_the_packages_are_copied() {
        let files = [
            (".fingerprint/itoa-0000000000000001/lib-itoa.json", ""),
            ("deps/libitoa-0000000000000001.rlib", ""),
            ("build/my-libc-0000000000000002/out/x", ""),
            ("build/my-libc/0000000000000003/out/x", ""),
            (".fingerprint/my-0000000000000004/lib-itoa.json", ""),
            ("deps/libmy-0000000000000004.rlib", ""),
            ("deps/b-0000000000000005", ""),
            ("incremental/itoa-0000000000000001/x", ""),
        ];
        let (there, folder) = copied(&files);
        assert_eq!(there, [true, true, true, true, false, false, false, false]);
        let copied = fs::metadata(folder.path().join("target/release").join(files[0].0)).unwrap();
        assert_eq!(copied.modified().unwrap(), long_ago());
    }
}
