//! Copies the benches of the working tree into an old tree, in a checkout that the harness owns.
//!
//! The benches of a package are copied together, so that all of them share one build of the old library. If
//! they use files of the package itself, such as a module below `src`, they get the old tree's files, since
//! that is the code in question.

pub(super) mod manifest;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use self::manifest::Manifests;
use super::bench::Build;
use super::bench_files::of_bench;
use super::checkout::Checkout;
use super::git::Git;
use super::manifest::{MANIFEST, resolved};
use super::toml::{Table, Value, document, parse, table_at};
use bench_diff_system::files::{FileError, cannot, read, read_text, slashed};
use bench_diff_system::order::in_order;

/// The benches of the working tree's package, and what they need.
pub(super) struct Overlay {
    /// The root of the working tree.
    top: PathBuf,
    package_folder: PathBuf,
    workspace_folder: PathBuf,
    package: Table,
    workspace: Table,
    /// Files of the working tree, by their paths in it.
    files: Vec<PathBuf>,
}

impl Overlay {
    /// Collects the benches of the package that contains this bench.
    ///
    /// # Errors
    ///
    /// The file that cannot be read.
    pub(super) fn of(git: &Git, build: &Build<'_>) -> Result<Self, String> {
        let (package_folder, workspace_folder) = (build.bench.folder.to_owned(), build.call.folder.clone());
        let [package, workspace] = [&package_folder, &workspace_folder].map(|folder| manifest_in(folder));
        let (package, workspace) = (package?, workspace?);
        let bench = workspace_folder.join(build.bench.file);
        let folder = bench.parent().filter(|folder| *folder != package_folder);
        let benches = package_folder.join("benches");
        let folder = folder.filter(|folder| !folder.starts_with(&benches)).unwrap_or(&benches);
        // A bench beside the library is copied without it.
        let has_library = package_folder.join(library(&package)).starts_with(folder);
        let pattern = slashed(if has_library { &bench } else { folder });
        // Those that git tracks or would track.
        let known = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", &pattern];
        let mut files: Vec<PathBuf> = git.paths(&known)?.into_iter().map(PathBuf::from).collect();
        files.extend(of_bench(build));
        files.retain(|file| git.top.join(file).is_file());
        Ok(Self {
            top: git.top.clone(),
            package_folder,
            workspace_folder,
            package,
            workspace,
            files: in_order(files),
        })
    }

    /// The files of the working tree, each with its place in a checkout whose package has this manifest.
    pub(super) fn places(&self, checkout: &Checkout, manifest: &Path) -> Vec<(PathBuf, PathBuf)> {
        let package = manifest.parent().unwrap_or(&checkout.tree);
        let place = |file: &PathBuf| {
            let from = self.top.join(file);
            let to = moved(&from, &self.package_folder, package);
            let to = to.or_else(|| moved(&from, &self.top, &checkout.tree));
            (from.clone(), to.unwrap_or(from))
        };
        self.files.iter().map(place).collect()
    }

    /// Returns whether a checkout has all of it, in a package with this manifest.
    pub(super) fn is_in(&self, checkout: &Checkout, manifest: &Path) -> bool {
        let has = |folder: &Path, table: &Table| manifest_in(folder).is_ok_and(|old| old == *table);
        let workspace = moved(&self.workspace_folder, &self.top, &checkout.tree);
        let is_there = |(from, to): &(PathBuf, PathBuf)| {
            read(from).ok().zip(read(to).ok()).is_some_and(|(new, old)| new == old)
        };
        has(manifest.parent().unwrap_or(&checkout.tree), &self.package)
            && workspace.is_some_and(|folder| has(&folder, &self.workspace))
            && self.places(checkout, manifest).iter().all(is_there)
    }

    /// Lays it over the package with this manifest in a checkout, and returns the paths of the files there
    /// that differ.
    ///
    /// # Errors
    ///
    /// The file that cannot be read or written.
    pub(super) fn lay(
        &self,
        checkout: &Checkout,
        manifest: &Path,
        harness: &Path,
    ) -> Result<Vec<String>, String> {
        let package = manifest.parent().unwrap_or(&checkout.tree);
        let in_package = |path: &Path| moved(path, &self.package_folder, package);
        let in_tree = |path: &Path| moved(path, &self.top, &checkout.tree);
        let places = self.places(checkout, manifest);
        let mut laid = Vec::new();
        for (from, to) in &places {
            let is_former = |other: &PathBuf| places.iter().all(|(_, to)| to != other);
            other_forms(to).iter().filter(|other| is_former(other)).for_each(|other| checkout.remove(other));
            let content = read(from)?;
            if read(to).is_ok_and(|old| old == content) {
                continue;
            }
            laid.push((to.clone(), content));
        }
        checkout.lay(&laid)?;
        let mut old = manifest_in(package)?;
        let today = Manifests {
            package: &self.package,
            workspace: &self.workspace,
            package_folder: &self.package_folder,
            workspace_folder: &self.workspace_folder,
        };
        // Code of the repository comes from the old tree, except for a harness that was added later.
        let dependency = |path: &Path| {
            let path = resolved(path);
            let mut there = [in_tree(&path), in_package(&path)].into_iter().flatten();
            let is_later = path == harness || in_tree(&path).is_none();
            there.find(|path| path.exists()).or_else(|| in_tree(&path).filter(|_| !is_later)).unwrap_or(path)
        };
        if let Some(Value::Array(benches)) = old.get_mut("bench") {
            benches.retain(|bench| has_file(bench, package));
        }
        let has_library = old.contains_key("lib") || package.join(library(&old)).is_file();
        manifest::lay_over(&mut old, today, has_library, &dependency);
        checkout.edit(manifest, document(&old).as_bytes())?;
        let path = |(to, _): &(PathBuf, _)| slashed(to.strip_prefix(&checkout.tree).unwrap_or(to));
        Ok(laid.iter().map(path).collect())
    }
}

/// The path below `to` that corresponds to one below `from`.
fn moved(path: &Path, from: &Path, to: &Path) -> Option<PathBuf> {
    Some(to.join(path.strip_prefix(from).ok()?))
}

/// Returns whether the file of a bench target is in the folder of its package.
fn has_file(bench: &Value, package: &Path) -> bool {
    let text = |key: &str| bench.as_table().and_then(|bench| bench.get(key)?.as_text());
    let files = match (text("path"), text("name")) {
        (Some(path), _) => vec![path.to_owned()],
        (None, Some(name)) => ["", "/main"].map(|end| format!("benches/{name}{end}.rs")).into(),
        (None, None) => Vec::new(),
    };
    files.iter().any(|file| package.join(file).is_file())
}

/// The files that would be the same module or bench as this one: `x.rs`, `x/mod.rs` and `x/main.rs`.
fn other_forms(file: &Path) -> Vec<PathBuf> {
    match file.file_name().and_then(|name| name.to_str()) {
        Some("mod.rs" | "main.rs") => {
            let folder = file.parent().unwrap_or(file).as_os_str();
            vec![[folder, ".rs".as_ref()].into_iter().collect::<OsString>().into()]
        }
        Some(name) if name.ends_with(".rs") => {
            ["mod.rs", "main.rs"].map(|name| file.with_extension("").join(name)).into()
        }
        _ => Vec::new(),
    }
}

/// The root file of the library of this package.
fn library(package: &Table) -> &str {
    let path = table_at(package, &["lib"]).and_then(|library| library.get("path")?.as_text());
    path.unwrap_or("src/lib.rs")
}

fn manifest_in(folder: &Path) -> Result<Table, FileError> {
    let path = folder.join(MANIFEST);
    parse(&read_text(&path)?).map_err(|error| cannot("read", &path, error.message()))
}
