//! Compares the files of a bench target in two trees, and the data files that they name.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::layout::{RustcCall, sources};
use crate::system::input;

/// Returns whether the files of a bench target, or data that they name, differ between two builds of it.
pub(crate) fn differ(now: &RustcCall, then: &RustcCall) -> bool {
    match (BenchFiles::of(now), BenchFiles::of(then)) {
        (Some(now), Some(then)) => now.differ_from(&then),
        // Without the lists of files, they may differ.
        _ => true,
    }
}

/// The files of a bench target in one tree.
struct BenchFiles {
    /// The root of the workspace, and the folder of the package.
    root: PathBuf,
    package: PathBuf,
    /// The content of each file, by its path below the root, or by its name if it is elsewhere.
    texts: HashMap<PathBuf, Vec<u8>>,
}

impl BenchFiles {
    /// The files that rustc read; `None` if one of them no longer exists.
    fn of(call: &RustcCall) -> Option<Self> {
        let root = call.folder.clone();
        let files = sources(&call.dep_info()?);
        let text = |file: &PathBuf| {
            let path = root.join(file);
            // A file that a build script wrote is in another target directory.
            let name = path.strip_prefix(&root).ok().or(path.file_name().map(Path::new))?;
            Some((name.to_owned(), input::read(&path, u64::MAX).ok()?))
        };
        let texts = files.iter().map(text).collect::<Option<_>>()?;
        let bench = root.join(files.first()?);
        let package = bench.ancestors().find(|folder| folder.join("Cargo.toml").is_file())?.to_owned();
        Some(Self { root, package, texts })
    }

    /// Returns whether these files or data that they name have different content in the other tree.
    fn differ_from(&self, there: &Self) -> bool {
        self.texts != there.texts
            || self.texts.iter().any(|(file, text)| {
                let folder = file.parent().unwrap_or(file);
                let folders = [
                    [&self.package, &there.package],
                    [&self.root, &there.root],
                    [&self.root.join(folder), &there.root.join(folder)],
                ]
                .map(|folders| folders.map(PathBuf::clone));
                let text = String::from_utf8_lossy(text);
                named(&text).any(|name| {
                    folders.iter().any(|folders| {
                        let [now, then] = folders.each_ref().map(|folder| folder.join(name));
                        differs(&now, &then)
                    })
                })
            })
    }
}

/// The parts of a source that may be relative paths of data: any text between quotes, or between the braces
/// of a format.
fn named(text: &str) -> impl Iterator<Item = &Path> {
    let parts = text.split(['"', '{', '}', '\n']).map(|part| Path::new(part.trim_start_matches('/')));
    parts.filter(|path| {
        let mut names = path.components().filter_map(|part| match part {
            Component::Normal(name) => Some(name),
            _ => None,
        });
        names.next().is_some_and(may_be_data) && names.all(may_be_data)
    })
}

/// Returns whether a file or a folder of this name may be data. Sources are code, which is compared in other
/// ways.
fn may_be_data(name: &OsStr) -> bool {
    let is_hidden = name.as_encoded_bytes().starts_with(b".");
    !is_hidden && name != "target" && Path::new(name).extension() != Some(OsStr::new("rs"))
}

/// Returns whether a file or the data in a folder has different content.
fn differs(now: &Path, then: &Path) -> bool {
    if now.is_dir() || then.is_dir() {
        let [here, there] = [now, then].map(data_in);
        let differs_there =
            |(name, path): (_, &PathBuf)| there.get(name).is_none_or(|then| differs(path, then));
        here.len() != there.len() || here.iter().any(differs_there)
    } else {
        let length = |path: &Path| fs::metadata(path).ok().map(|file| file.len());
        let content = |path: &Path| input::read(path, u64::MAX).ok();
        length(now) != length(then) || content(now) != content(then)
    }
}

/// The files and folders in a folder that may be data, by their names; empty if there is no folder.
fn data_in(folder: &Path) -> HashMap<OsString, PathBuf> {
    let entries = input::entries(folder).into_iter().map(|entry| (entry.file_name(), entry.path()));
    entries.filter(|(name, path)| may_be_data(name) && !path.is_symlink()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of a bench in a tree with these files, compiled from the sources among them.
    fn of(tree: &Path, files: &[(&str, &str)]) -> BenchFiles {
        for (file, text) in files {
            let path = tree.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let sources = files.iter().filter(|(file, _)| file.ends_with(".rs"));
        let rules: String = sources.map(|(file, _)| format!("{file}:\n")).collect();
        fs::write(tree.join("b-1.d"), rules).unwrap();
        fs::write(tree.join("member/Cargo.toml"), "").unwrap();
        let tree = tree.to_str().unwrap();
        let recorded = ["rustc", tree, "--crate-name", "b", "-Cextra-filename=-1", "--out-dir", tree];
        BenchFiles::of(&RustcCall::of(&recorded).unwrap()).unwrap()
    }

    /// Returns whether benches in trees with these files differ.
    fn have_other_benches(now: &[(&str, &str)], then: &[(&str, &str)]) -> bool {
        let [here, there] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        of(here.path(), now).differ_from(&of(there.path(), then))
    }

    #[test]
    fn only_sources_of_the_bench_are_compared() {
        let bench = ("member/benches/b.rs", "fn f() {}");
        let module = ("member/benches/m.rs", "fn g() {}");
        let library = |text| ("member/src/lib.txt", text);
        assert!(!have_other_benches(&[bench, library("a")], &[bench, library("b")]));
        assert!(have_other_benches(&[bench], &[(bench.0, "fn f() { }")]));
        assert!(have_other_benches(&[bench, module], &[bench]));
        assert!(have_other_benches(&[bench, module], &[bench, (module.0, "fn h() {}")]));
    }

    #[test]
    fn data_that_a_source_names_are_compared() {
        let differs = |source: &str, file: &str| {
            let bench = ("member/benches/b.rs", source);
            let results = [
                have_other_benches(&[bench, (file, "1")], &[bench, (file, "2")]),
                have_other_benches(&[bench, (file, "1")], &[bench]),
                have_other_benches(&[bench], &[bench, (file, "1")]),
            ];
            assert!(!have_other_benches(&[bench, (file, "1")], &[bench, (file, "1")]));
            assert!(results == [true; 3] || results == [false; 3], "{source}: {results:?}");
            results[0]
        };
        for (source, file) in [
            (r#"read("data/words.txt")"#, "member/data/words.txt"),
            (r#"concat!(env!("CARGO_MANIFEST_DIR"), "/data/words.txt")"#, "member/data/words.txt"),
            (r#"format!("{ROOT}/data/{name}.txt")"#, "member/data/words.txt"),
            (r#"root.join("data").join(name)"#, "member/data/deep/words.txt"),
            (r#"read("../data/words.txt")"#, "data/words.txt"),
            (r#"include_str!("words.txt")"#, "member/benches/words.txt"),
            (r#"read("shared/words.txt")"#, "shared/words.txt"),
        ] {
            assert!(differs(source, file), "{source}");
        }
        for (source, file) in [
            (r#"read("data/other.txt")"#, "member/data/words.txt"),
            (r#"read("..")"#, "member/data/words.txt"),
            (r#"run("target")"#, "member/target/words.txt"),
            (r#"run(".git")"#, "member/.git/words.txt"),
        ] {
            assert!(!differs(source, file), "{source}");
        }
    }
}
