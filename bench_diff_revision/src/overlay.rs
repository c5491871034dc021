//! Copies the benches of the working tree into an old tree, in a checkout that the harness owns.
//!
//! The benches of a package are copied together, so that all of them share one build of the old library. If
//! they use files of the package itself, such as a module below `src`, they get the old tree's files, since
//! that is the code in question.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bench_diff_system::files::{FileError, cannot, read, read_text, slashed};
use bench_diff_system::order::in_order;

use super::bench::Build;
use super::bench_files::of_bench;
use super::checkout::Checkout;
use super::git::Git;
use super::manifest::{MANIFEST, resolved};
use super::overlay_manifest::{DEV_DEPENDENCIES, Manifests, lay_over};
use super::toml::{Table, Value, document, parse, table_at};

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
        let (package_folder, workspace_folder) = (build.bench.folder.to_owned(), build.root().to_owned());
        let [package, workspace] = [&package_folder, &workspace_folder].map(|folder| manifest_in(folder));
        let (package, workspace) = (package?, workspace?);
        let bench = build.call.folder.join(build.bench.file);
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

    /// The files of the working tree, each with its place in an old tree that has the package in this folder.
    fn places(&self, tree: &Path, package: &Path) -> Vec<(PathBuf, PathBuf)> {
        let mut places = Vec::new();
        for file in &self.files {
            let new = self.top.join(file);
            let old = moved(&new, &self.package_folder, package).unwrap_or_else(|| tree.join(file));
            places.push((new, old));
        }
        places
    }

    /// Returns whether a checkout has all of it, in a package with this manifest.
    pub(super) fn is_in(&self, checkout: &Checkout, manifest: &Path) -> bool {
        let package = manifest.parent().unwrap_or(&checkout.tree);
        let Some(workspace) = moved(&self.workspace_folder, &self.top, &checkout.tree) else { return false };
        manifest_in(package).is_ok_and(|old| old == self.package)
            && manifest_in(&workspace).is_ok_and(|old| old == self.workspace)
            && self.places(&checkout.tree, package).iter().all(|(new, old)| have_same_content(new, old))
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
        let tree = &checkout.tree;
        let package = manifest.parent().unwrap_or(tree);
        let places = self.places(tree, package);
        let taken: HashSet<&PathBuf> = places.iter().map(|(_, old)| old).collect();
        let (mut laid, mut names) = (Vec::new(), Vec::new());
        for (new, old) in &places {
            for other in other_forms(old) {
                if !taken.contains(&other) {
                    checkout.remove(&other);
                }
            }
            let content = read(new)?;
            if !read(old).is_ok_and(|old| old == content) {
                names.push(slashed(old.strip_prefix(tree).unwrap_or(old)));
                laid.push((old.clone(), content));
            }
        }
        checkout.lay(&laid)?;
        checkout.edit(manifest, self.manifest(tree, package, harness)?)?;
        Ok(names)
    }

    /// The manifest of the package in this folder of an old tree, with the benches of the working tree.
    fn manifest(&self, tree: &Path, package: &Path, harness: &Path) -> Result<String, FileError> {
        let mut old = manifest_in(package)?;
        if let Some(Value::Array(benches)) = old.get_mut("bench") {
            benches.retain(|bench| has_file(bench, package));
        }
        let has_library = old.contains_key("lib") || package.join(library(&old)).is_file();
        let new = Manifests {
            package: &self.package,
            workspace: &self.workspace,
            package_folder: &self.package_folder,
            workspace_folder: &self.workspace_folder,
        };
        lay_over(&mut old, new, has_library, &|path| self.dependency(path, tree, package, harness));
        Ok(document(&old))
    }

    /// The folder of a dependency in an old tree, by its folder in the working tree. Code of the repository
    /// comes from the old tree, except for a harness that was added later.
    fn dependency(&self, new: &Path, tree: &Path, package: &Path, harness: &Path) -> PathBuf {
        let new = resolved(new);
        let in_tree = moved(&new, &self.top, tree);
        let in_package = moved(&new, &self.package_folder, package);
        for old in [&in_tree, &in_package].into_iter().flatten() {
            if old.exists() {
                return old.clone();
            }
        }
        in_tree.filter(|_| new != harness).unwrap_or(new)
    }
}

fn have_same_content(new: &Path, old: &Path) -> bool {
    read(new).ok().zip(read(old).ok()).is_some_and(|(new, old)| new == old)
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

/// Spells `dev_dependencies`, which cargo accepts up to the edition of 2021, as `dev-dependencies`.
fn with_dash(table: &mut Table) {
    if let Some(dependencies) = table.remove(&DEV_DEPENDENCIES.replace('-', "_")) {
        table.insert(DEV_DEPENDENCIES.to_owned(), dependencies);
    }
}

fn manifest_in(folder: &Path) -> Result<Table, FileError> {
    let path = folder.join(MANIFEST);
    let mut manifest = parse(&read_text(&path)?).map_err(|error| cannot("read", &path, error.message()))?;
    with_dash(&mut manifest);
    if let Some(Value::Table(targets)) = manifest.get_mut("target") {
        for target in targets.values_mut() {
            if let Value::Table(target) = target {
                with_dash(target);
            }
        }
    }
    Ok(manifest)
}
