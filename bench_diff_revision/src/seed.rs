//! Copies existing builds of third-party crates and of the harness into a new target directory.
//!
//! Cargo regards a crate as built if its fingerprint and its files exist, with their times. Crates in the
//! workspace have the same names on both sides, so none of them is copied: cargo would take the new code for
//! the old. They are recognized by the paths of their sources, since another package that the harness needs
//! may have the same name. For a crate outside the workspace, the folder is part of the name, and cargo
//! compares the times of the sources.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bench_diff_system::files::copy;
use bench_diff_system::input;
use bench_diff_system::rustc_call::{is_of_workspace, sources};

/// Copies the folder of a profile from one target directory to another one that does not exist yet, without
/// the crates of the workspace.
pub(super) fn seed(from: &Path, profile: &Path, to: &Path) -> io::Result<()> {
    // An incomplete copy must not look like a complete target directory.
    let passing = to.with_extension("passing");
    let _ = fs::remove_dir_all(&passing);
    // Crates that run during the build, such as macros, are not below the triple.
    let mut profiles = vec![profile, Path::new(profile.file_name().unwrap_or_default())];
    profiles.dedup();
    for profile in profiles {
        for path in of_others(&units(&from.join(profile))) {
            let inside = path.strip_prefix(from).unwrap_or(path);
            copy(path, &passing.join(inside))?;
        }
    }
    fs::create_dir_all(&passing)?;
    fs::rename(&passing, to)
}

/// The extensions of files that are not programs; each build makes its own programs.
const LIBRARIES: [&str; 6] = ["rlib", "rmeta", "d", "so", "dylib", "dll"];

/// What cargo built under one hash: a library, a build script or the output of one, with its fingerprint.
struct Unit {
    hash: String,
    /// Files and folders.
    paths: Vec<PathBuf>,
}

/// The units below the folder of a profile.
fn units(profile: &Path) -> Vec<Unit> {
    let mut units: HashMap<String, Vec<PathBuf>> = HashMap::new();
    for kind in [".fingerprint", "build", "deps"] {
        for path in paths(&profile.join(kind)) {
            if let Some(hash) = name(&path).rsplit_once('-').and_then(|(_, end)| hash(end)) {
                units.entry(hash.to_owned()).or_default().push(path);
                continue;
            }
            // Newer versions of cargo have a folder for each package, with a folder for each unit in it.
            for path in paths(&path) {
                if let Some(hash) = hash(name(&path)) {
                    units.entry(hash.to_owned()).or_default().push(path);
                }
            }
        }
    }
    units.into_iter().map(|(hash, paths)| Unit { hash, paths }).collect()
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// The hash at the end of a unit's name, before the extension.
fn hash(end: &str) -> Option<&str> {
    let hash = end.split('.').next().unwrap_or(end);
    (hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(hash)
}

/// The files and folders of units outside the workspace.
fn of_others(units: &[Unit]) -> Vec<&PathBuf> {
    let compiled = units.iter().filter(|unit| unit.is_compiled_of_others());
    let scripts: HashSet<String> = compiled.filter_map(Unit::script).collect();
    let mut of_others = Vec::new();
    for unit in units {
        let is_of_others = match unit.written_by() {
            // The fingerprint of a script's output contains the script's fingerprint.
            Some(fingerprint) => scripts.iter().any(|script| fingerprint.contains(script)),
            None => unit.is_compiled_of_others(),
        };
        if is_of_others {
            of_others.extend(unit.paths.iter().filter(|path| path.is_dir() || is_library(path)));
        }
    }
    of_others
}

fn is_library(path: &Path) -> bool {
    path.extension().is_some_and(|end| LIBRARIES.iter().any(|library| end == *library))
}

impl Unit {
    /// Its files, as deep as cargo reads them.
    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let inside = self.paths.iter().flat_map(|path| paths(path));
        let below = inside.flat_map(|path| if path.is_dir() { paths(&path) } else { vec![path] });
        self.paths.iter().cloned().chain(below)
    }

    /// The file whose name has this start and end.
    fn file(&self, begin: &str, end: &str) -> Option<PathBuf> {
        self.files().find(|path| name(path).starts_with(begin) && name(path).ends_with(end))
    }

    /// Returns whether it was compiled from sources outside the workspace.
    fn is_compiled_of_others(&self) -> bool {
        let dep_info = self.file("", &format!("-{}.d", self.hash));
        let sources = dep_info.map(|file| sources(&file)).unwrap_or_default();
        !sources.is_empty() && !is_of_workspace(&sources)
    }

    /// The fingerprint of a build script's output.
    fn written_by(&self) -> Option<String> {
        fs::read_to_string(self.file("run-", ".json")?).ok()
    }

    /// The fingerprint of a build script, in the form in which fingerprints of its output contain it: as a
    /// decimal number. The script's own file has it in hexadecimal digits, least byte first.
    fn script(&self) -> Option<String> {
        let name = self.file("build-script-", ".json")?;
        let text = fs::read_to_string(name.with_extension("")).ok()?;
        let bytes = u64::from_str_radix(text.trim(), 16).ok()?;
        Some(format!(",{}]", bytes.swap_bytes()))
    }
}

/// The paths of the entries of a folder.
fn paths(folder: &Path) -> Vec<PathBuf> {
    input::entries(folder).into_iter().map(|entry| entry.path()).collect()
}

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
        seed(&folder.path().join("main"), Path::new("absent/release"), &to).unwrap();
        assert!(!folder.path().join("target.passing").exists());
        (files.iter().map(|(file, _)| to.join("release").join(file).exists()).collect(), folder)
    }

    /// Dep-info files of a crate from a registry, and of a crate in the workspace.
    const OTHER: &str = if cfg!(windows) {
        "C:\\t\\x: C:\\registry\\itoa-1.0.0\\src\\lib.rs\n\nC:\\registry\\itoa-1.0.0\\src\\lib.rs:\n"
    } else {
        "/t/x: /registry/itoa-1.0.0/src/lib.rs\n\n/registry/itoa-1.0.0/src/lib.rs:\n"
    };
    const OWN: &str = "/t/x: src/lib.rs\n\nsrc/lib.rs:\n";

    #[test]
    fn crates_of_the_workspace_are_left_out_even_if_others_have_their_names() {
        let files = [
            (".fingerprint/itoa-0000000000000001/lib-itoa.json", ""),
            ("deps/libitoa-0000000000000001.rlib", ""),
            ("deps/itoa-0000000000000001.d", OTHER),
            (".fingerprint/itoa-0000000000000002/lib-itoa.json", ""),
            ("deps/libitoa-0000000000000002.rlib", ""),
            ("deps/itoa-0000000000000002.d", OWN),
            // A program, an incompletely compiled crate, and files that cargo keeps elsewhere.
            ("deps/itoa-0000000000000001", ""),
            ("deps/libmy_crate-0000000000000003.rlib", ""),
            ("incremental/itoa-0000000000000001/x", ""),
        ];
        let (there, folder) = copied(&files);
        assert_eq!(there, [true, true, true, false, false, false, false, false, false]);
        let copied = fs::metadata(folder.path().join("target/release").join(files[0].0)).unwrap();
        assert_eq!(copied.modified().unwrap(), long_ago());
    }

    #[test]
    fn output_of_build_scripts_is_copied_with_the_script() {
        let deps =
            |script: &str| format!("{{\"deps\":[[1,\"build_script_build\",false,{script}]],\"local\":[]}}");
        let [of_other, of_own] = ["16393343688536441316", "2"].map(deps);
        let files = [
            (".fingerprint/libc-0000000000000001/build-script-build-script-build", "e4411ba43adb80e3"),
            (".fingerprint/libc-0000000000000001/build-script-build-script-build.json", ""),
            ("build/libc-0000000000000001/build_script_build-0000000000000001.d", OTHER),
            (".fingerprint/libc-0000000000000002/run-build-script-build-script-build.json", &of_other),
            ("build/libc-0000000000000002/out/x", ""),
            (".fingerprint/libc-0000000000000003/build-script-build-script-build", "0200000000000000"),
            (".fingerprint/libc-0000000000000003/build-script-build-script-build.json", ""),
            ("build/libc-0000000000000003/build_script_build-0000000000000003.d", OWN),
            (".fingerprint/libc-0000000000000004/run-build-script-build-script-build.json", &of_own),
            ("build/libc-0000000000000004/out/x", ""),
        ];
        let [yes, no] = [true, false].map(|is_there| [is_there; 5]);
        assert_eq!(copied(&files).0, [yes, no].concat());
    }

    #[test]
    fn newer_versions_of_cargo_have_a_folder_for_each_unit() {
        let deps = |script: &str| format!("{{\"deps\":[[1,\"build_script_build\",false,{script}]]}}");
        let [of_other, of_own] = ["1", "2"].map(deps);
        let files = [
            ("build/itoa/0000000000000001/out/itoa-0000000000000001.d", OTHER),
            ("build/itoa/0000000000000001/out/libitoa-0000000000000001.rlib", ""),
            ("build/libc/0000000000000002/out/build_script_build-0000000000000002.d", OTHER),
            ("build/libc/0000000000000002/fingerprint/build-script-build-script-build", "0100000000000000"),
            ("build/libc/0000000000000002/fingerprint/build-script-build-script-build.json", ""),
            ("build/libc/0000000000000003/fingerprint/run-build-script-build-script-build.json", &of_other),
            ("build/itoa/0000000000000004/out/itoa-0000000000000004.d", OWN),
            ("build/itoa/0000000000000004/out/libitoa-0000000000000004.rlib", ""),
            ("build/libc/0000000000000005/out/x.d", OTHER),
            ("build/libc/0000000000000005/fingerprint/run-build-script-build-script-build.json", &of_own),
        ];
        let [yes, no] = [vec![true; 6], vec![false; 4]];
        assert_eq!(copied(&files).0, [yes, no].concat());
    }
}
