//! The folders of the packages in a binary, as cargo stores them with everything that it builds.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use miniserde::json::{Number, Value};

use crate::layout::{RustcCall, sources};
use crate::record::json;
use crate::system::input;

/// The crates of a binary.
#[derive(Debug)]
pub(super) struct Units {
    /// For each package, by name, cargo's files about it.
    by_package: HashMap<String, Vec<PathBuf>>,
}

/// The content of such a file, with the fields that are used.
#[derive(miniserde::Deserialize)]
struct Fingerprint {
    /// For each dependency, its name among other facts, and the hash of its fingerprint at the end.
    deps: Vec<Value>,
}

/// The largest such file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

impl Units {
    /// The crates of the binary that this call made.
    ///
    /// # Errors
    ///
    /// If cargo's files about them cannot be found or read.
    pub(super) fn of(call: &RustcCall) -> Result<Self, String> {
        let hash = call.value("extra-filename").and_then(|end| end.strip_prefix('-'));
        let ((target, profile), hash) =
            call.profile().zip(hash).ok_or("its call of rustc is not one of cargo's")?;
        let index = Index::of(&target, &profile);
        let program = index.program(hash);
        let program = program.ok_or_else(|| format!("{} has no file of cargo about it", target.display()))?;
        let mut units = Self { by_package: HashMap::new() };
        let (mut next, mut seen) = (vec![program], HashSet::new());
        while let Some(file) = next.pop() {
            if !seen.insert(&file.path) {
                continue;
            }
            let Fingerprint { deps } = json::read(&file.path, LARGEST)?;
            units.by_package.entry(file.package.clone()).or_default().push(file.path.clone());
            for dependency in deps {
                let unknown = || format!("a dependency of {} is not among cargo's files", file.package);
                next.push(hash_of(&dependency).and_then(|hash| index.0.get(&hash)).ok_or_else(unknown)?);
            }
        }
        Ok(units)
    }

    /// The folder of a package whose library is in the binary. `workspace` is the workspace in which the
    /// binary was compiled.
    pub(super) fn folder_of(&self, package: &str, workspace: &Path) -> Option<PathBuf> {
        let sources = self.by_package.get(package)?.iter().filter_map(|file| {
            // `.fingerprint/NAME-HASH/lib-x.json`, or `build/NAME/HASH/fingerprint/lib-x.json`.
            let folder = file.parent()?;
            let (hash, compiled) = match folder.file_name()?.to_str()?.rsplit_once('-') {
                Some((_, hash)) => (hash, folder.parent()?.with_file_name("deps")),
                None => (folder.parent()?.file_name()?.to_str()?, folder.with_file_name("out")),
            };
            let dep_info = format!("{}-{hash}.d", package.replace('-', "_"));
            sources(&compiled.join(dep_info)).into_iter().next()
        });
        let source = workspace.join(sources.into_iter().next()?);
        source.ancestors().find(|folder| folder.join("Cargo.toml").is_file()).map(Path::to_owned)
    }
}

/// Cargo's files about what it built for one target, by their hashes.
struct Index(HashMap<u64, File>);

/// A file about one crate, or about one run of a build script.
struct File {
    path: PathBuf,
    package: String,
}

impl Index {
    /// The files about a profile in a target directory, and about crates that run during its build.
    fn of(target: &Path, profile: &Path) -> Self {
        let mut index = Self(HashMap::new());
        // Crates that run during the build are not below the triple.
        for profile in [profile, Path::new(profile.file_name().unwrap_or_default())] {
            let profile = target.join(profile);
            for folder in input::entries(&profile.join(".fingerprint")) {
                let name = folder.file_name().to_string_lossy().into_owned();
                index.add(&folder.path(), name.rsplit_once('-').map_or(&*name, |(package, _)| package));
            }
            // Newer versions of cargo store them here.
            for package in input::entries(&profile.join("build")) {
                for unit in input::entries(&package.path()) {
                    index.add(&unit.path().join("fingerprint"), &package.file_name().to_string_lossy());
                }
            }
        }
        index
    }

    /// Adds the files of a folder: `lib-name` contains the hash of `lib-name.json`.
    fn add(&mut self, folder: &Path, package: &str) {
        let files = input::entries(folder).into_iter().map(|entry| entry.path());
        for path in files.filter(|path| path.extension().is_some_and(|end| end == "json")) {
            let hash = input::read(&path.with_extension(""), LARGEST).ok();
            let hash = hash.and_then(|hash| u64::from_str_radix(str::from_utf8(&hash).ok()?, 16).ok());
            if let Some(hash) = hash {
                // Cargo writes the hash with its least byte first.
                self.0.insert(hash.swap_bytes(), File { path, package: package.to_owned() });
            }
        }
    }

    /// The file about the binary with this hash in its name.
    fn program(&self, hash: &str) -> Option<&File> {
        let has_hash = |file: &&File| {
            let mut folders = file.path.ancestors().skip(1).filter_map(|folder| folder.file_name()?.to_str());
            folders.next().is_some_and(|name| name.rsplit('-').next() == Some(hash))
                || folders.next() == Some(hash)
        };
        self.0.values().find(has_hash)
    }
}

/// The hash at the end of a file's facts about a dependency.
fn hash_of(dependency: &Value) -> Option<u64> {
    match dependency {
        Value::Array(facts) => match facts.iter().last()? {
            Value::Number(Number::U64(hash)) => Some(*hash),
            _ => None,
        },
        _ => None,
    }
}
