//! A digest of the files in a folder. If somebody unpacks another version there and the files keep their old
//! times, cargo does not notice the change.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use bench_diff_system::input;
use bench_diff_system::order::sort_by_key;

/// The digest of the names, sizes and times of all files, except those that a build may write.
pub(super) fn contents(folder: &Path) -> u64 {
    let mut digest = DefaultHasher::new();
    add(folder, &mut digest);
    digest.finish()
}

fn add(folder: &Path, digest: &mut DefaultHasher) {
    let mut entries = input::entries(folder);
    sort_by_key(&mut entries, fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let is_of_build = ["target", "Cargo.lock"].iter().any(|other| name == *other);
        let Ok(file) = entry.metadata() else { continue };
        if is_of_build || name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        name.hash(digest);
        if file.is_dir() {
            add(&entry.path(), digest);
        } else {
            (file.len(), file.modified().ok()).hash(digest);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{File, create_dir, write};
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn another_version_of_a_file_is_seen_by_its_size_or_time() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for inner in ["src", "target"] {
            create_dir(at(inner)).unwrap();
        }
        write(at("src/lib.rs"), "a").unwrap();
        let first = contents(folder.path());
        for of_build in ["target/x", "Cargo.lock", ".cache"] {
            write(at(of_build), "").unwrap();
        }
        assert_eq!(contents(folder.path()), first);
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1);
        File::options().write(true).open(at("src/lib.rs")).unwrap().set_modified(time).unwrap();
        let second = contents(folder.path());
        assert_ne!(second, first, "older");
        write(at("src/lib.rs"), "ab").unwrap();
        assert_ne!(contents(folder.path()), second);
    }
}
