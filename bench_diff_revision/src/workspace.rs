//! The packages of a workspace and their benches, as `cargo metadata` lists them.

use std::path::{Path, PathBuf};

use bench_diff_system::own_crates::is_harness;

use super::manifest::MANIFEST;
use super::prepare::LOCK;
use super::selection::Features;

/// The kind of a build script.
const BUILD_SCRIPT: &str = "custom-build";

/// The packages of a workspace.
#[derive(Default, miniserde::Deserialize)]
pub(super) struct Workspace {
    pub(super) packages: Vec<Package>,
    #[serde(rename = "workspace_root")]
    pub(super) root: String,
    /// The ids of the packages that the manifest selects by default; older versions of cargo don't report
    /// them.
    pub(super) workspace_default_members: Option<Vec<String>>,
}

#[derive(Default, miniserde::Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) id: String,
    pub(super) manifest_path: String,
    pub(super) features: Features,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) targets: Vec<Target>,
}

/// A dependency as written in the manifest of a package.
#[derive(Debug, Default, miniserde::Deserialize)]
pub(super) struct Dependency {
    pub(super) name: String,
    pub(super) rename: Option<String>,
    /// `None` for a dependency in a folder.
    pub(super) source: Option<String>,
    /// The folder of such a dependency.
    pub(super) path: Option<String>,
    pub(super) req: String,
    /// As in `dev`.
    pub(super) kind: Option<String>,
    /// The targets that have it; `None` for all.
    pub(super) target: Option<String>,
    pub(super) features: Vec<String>,
    pub(super) uses_default_features: bool,
    pub(super) optional: bool,
    /// The URL of its registry, unless that is crates.io.
    pub(super) registry: Option<String>,
}

#[derive(miniserde::Deserialize)]
pub(super) struct Target {
    pub(super) name: String,
    kind: Vec<String>,
    pub(super) src_path: String,
    pub(super) edition: String,
}

impl Workspace {
    pub(super) fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }

    /// Returns whether a package depends on the harness or on one of its front ends.
    pub(super) fn needs_harness(&self) -> bool {
        self.packages.iter().any(Package::needs_harness)
    }

    /// Its lock file, its manifests, and the roots of its crates, except for build scripts.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        let targets = self.packages.iter().flat_map(|package| &package.targets);
        let crates = targets.filter(|target| !target.kind.iter().any(|kind| kind == BUILD_SCRIPT));
        let manifests = self.packages.iter().map(|package| &package.manifest_path);
        let root = Path::new(&self.root);
        let of_root = [MANIFEST, LOCK].map(|name| root.join(name));
        of_root.into_iter().chain(crates.map(|it| &it.src_path).chain(manifests).map(PathBuf::from))
    }

    /// Returns whether a package depends on a folder of this tree that is not in the workspace. Cargo takes
    /// that for another package in each tree.
    pub(super) fn leads_elsewhere_in(&self, tree: &Path) -> bool {
        let dependencies = self.packages.iter().flat_map(|package| &package.dependencies);
        let mut folders = dependencies.filter_map(|dependency| dependency.path.as_deref());
        folders
            .any(|folder| Path::new(folder).starts_with(tree) && !Path::new(folder).starts_with(&self.root))
    }

    /// Returns whether a package without the harness has a bench of this name.
    pub(super) fn has_foreign_bench(&self, name: &str) -> bool {
        self.packages.iter().any(|package| !package.needs_harness() && package.bench(name).is_some())
    }
}

impl Package {
    fn needs_harness(&self) -> bool {
        self.dependencies.iter().any(|dependency| is_harness(&dependency.name))
    }

    /// Returns whether it has a build script.
    pub(super) fn has_build_script(&self) -> bool {
        self.targets.iter().flat_map(|target| &target.kind).any(|kind| kind == BUILD_SCRIPT)
    }

    /// Returns whether one of its dependencies has this name in the source.
    pub(super) fn depends_on(&self, name: &str) -> bool {
        let names =
            self.dependencies.iter().map(|dependency| dependency.rename.as_ref().unwrap_or(&dependency.name));
        names.into_iter().any(|known| known == name)
    }

    /// The bench of this name, which may have `_` for `-`.
    pub(super) fn bench(&self, name: &str) -> Option<&Target> {
        self.targets.iter().find(|target| target.is_bench(name))
    }

    /// Returns whether its library or a program of it is in this folder.
    pub(super) fn has_code_in(&self, folder: &Path) -> bool {
        let is_code = |kind: &String| kind.ends_with("lib") || kind == "proc-macro" || kind == "bin";
        let mut code = self.targets.iter().filter(|target| target.kind.iter().any(is_code));
        code.any(|target| Path::new(&target.src_path).starts_with(folder))
    }

    /// The bench with this source file.
    pub(super) fn bench_of(&self, file: &Path) -> Option<&Target> {
        self.targets.iter().find(|it| it.is_bench(&it.name) && Path::new(&it.src_path) == file)
    }
}

impl Target {
    pub(super) fn is_bench(&self, name: &str) -> bool {
        self.name.replace('-', "_") == name.replace('-', "_") && self.kind.iter().any(|kind| kind == "bench")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bench_is_found_by_the_name_of_its_crate() {
        let target = |name: &str| Target {
            name: name.to_owned(),
            kind: vec!["bench".to_owned()],
            src_path: String::new(),
            edition: String::new(),
        };
        assert!(target("parse-json").is_bench("parse_json") && target("parse-json").is_bench("parse-json"));
        assert!(!target("parse-json").is_bench("json"));
    }
}
