//! What manifests and config files say, how a package is found by its manifest in another tree, and changes
//! to manifests that are built in another folder than they were written for.

use std::path::{Component, Path, PathBuf};

use bench_diff_system::files::slashed;

use super::selection::Features;
use super::settings::table;
use super::toml::{Table, Value, parse, table_at};

/// The name of every manifest.
pub(super) const MANIFEST: &str = "Cargo.toml";

/// The folders outside of `top` to which the paths in the manifest of this folder lead. Relative paths among
/// them become absolute.
pub(super) fn outer_paths(manifest: &mut Table, folder: &Path, top: &Path) -> Vec<PathBuf> {
    let mut outer = Vec::new();
    for path in paths(manifest) {
        let place = resolved(&folder.join(&*path));
        if !place.starts_with(top) {
            if Path::new(path).is_relative() {
                *path = slashed(&place);
            }
            outer.push(place);
        }
    }
    outer
}

/// The values of every key `path`.
fn paths(table: &mut Table) -> Vec<&mut String> {
    let mut found = Vec::new();
    for (key, value) in table {
        match value {
            Value::Text(path) if key == "path" => found.push(path),
            Value::Table(inner) => found.extend(paths(inner)),
            Value::Array(items) => {
                for item in items {
                    if let Value::Table(inner) = item {
                        found.extend(paths(inner));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The path without `..`.
pub(super) fn resolved(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut resolved, component| {
        match component {
            Component::ParentDir => drop(resolved.pop()),
            component => resolved.push(component),
        }
        resolved
    })
}

/// The features in a manifest, and the features that each of them turns on.
pub(super) fn features(manifest: &str) -> Features {
    let manifest = parse(manifest).unwrap_or_default();
    let features = table_at(&manifest, "features").into_iter().flatten();
    let names = |list: &Value| list.items().iter().filter_map(Value::as_text).map(str::to_owned).collect();
    features.map(|(name, list)| (name.clone(), names(list))).collect()
}

/// A package, as described by its manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PackageManifest {
    /// The path of its manifest from the root of its tree.
    pub(super) manifest: PathBuf,
    pub(super) name: String,
}

impl PackageManifest {
    /// The package with this manifest; `None` if it describes none, such as that of a virtual workspace.
    pub(super) fn read(tree: &Path, manifest: PathBuf) -> Option<Self> {
        let table = table(&tree.join(&manifest));
        let name = table_at(&table, "package")?.get("name")?.as_text()?.to_owned();
        Some(Self { manifest, name })
    }

    /// Finds this package among the packages of another tree: the one with the name that the user gives, or
    /// else the one with the same name, or in the same folder.
    pub(super) fn found_in<'p>(&self, others: &'p [Self], given_name: Option<&str>) -> Option<&'p Self> {
        let name = given_name.unwrap_or(&self.name);
        let named = || others.iter().filter(|other| other.name == name);
        let is_here = |other: &&Self| other.manifest == self.manifest;
        // Test data may contain packages of the same name in deeper folders.
        let depth = |other: &&Self| other.manifest.components().count();
        let here = || others.iter().find(is_here).filter(|_| given_name.is_none());
        named().find(is_here).or_else(|| named().min_by_key(depth)).or_else(here)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn features_are_read_from_their_section() {
        let manifest = "[package]\nname = \"a\"\n\n[features]\ndefault=[\"std\"]\n# Of std.\nstd = [\n    \"alloc\",\n    \
                        'x/std',\n]\nalloc = []\n\n[package.metadata.x]\nother = [\"y\"]\n";
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let expected =
            [("default", list(&["std"])), ("std", list(&["alloc", "x/std"])), ("alloc", list(&[]))];
        assert_eq!(features(manifest), expected.map(|(name, more)| (name.to_owned(), more)).into());
        assert_eq!(features("[package]\n"), Features::new());
    }

    #[test]
    fn paths_out_of_the_tree_stay_valid() {
        let manifest = "[dependencies]\n\
            inside = { path = \"../inside\" }\n\
            outside = { version = \"1\", path=\"../../../out/side\", features = [] }\n\
            absolute = { path = \"/x\" } # \"\n\
            literal = { version = \"1\", path = '../../../lit' } # it's\n\
            from_here = { path = \"./../../../here\" }\n\
            [dependencies.other]\n\
            path = \"../../../other\"";
        let [folder, top] = ["/home/work/crates/a", "/home/work"].map(Path::new);
        let expected = manifest
            .replace("\"../../../out/side\"", "\"/home/out/side\"")
            .replace("\"../../../other\"", "\"/home/other\"")
            .replace("./../../../here", "/home/here")
            .replace("'../../../lit'", "'/home/lit'");
        let mut manifest = parse(manifest).unwrap();
        let outer = outer_paths(&mut manifest, folder, top);
        assert_eq!(manifest, parse(&expected).unwrap());
        assert_eq!(
            outer,
            ["/x", "/home/here", "/home/lit", "/home/other", "/home/out/side"].map(PathBuf::from)
        );
    }

    fn package(folder: &str, name: &str) -> PackageManifest {
        PackageManifest { manifest: Path::new(folder).join("Cargo.toml"), name: name.to_owned() }
    }

    #[test]
    fn a_package_is_found_by_name_or_folder() {
        let mine = package("crates/mine", "mine");
        let others =
            [package("", "whole"), package("tests/data/deep/mine", "mine"), package("old/mine", "mine")];
        let found = |others: &[PackageManifest], given_name| {
            mine.found_in(others, given_name).map(|found| found.manifest.clone())
        };
        assert_eq!(found(&others, None).unwrap(), Path::new("old/mine/Cargo.toml"));
        assert_eq!(found(&others, Some("whole")).unwrap(), Path::new("Cargo.toml"));
        assert_eq!(found(&others, Some("absent")), None);
        let renamed = [package("x", "x"), package("crates/mine", "other")];
        assert_eq!(found(&renamed, None).unwrap(), Path::new("crates/mine/Cargo.toml"));
    }

    #[test]
    fn a_package_is_described_by_its_manifest() {
        let folder = tempfile::tempdir().unwrap();
        let of = |text: &str| {
            fs::write(folder.path().join(MANIFEST), text).unwrap();
            PackageManifest::read(folder.path(), MANIFEST.into())
        };
        assert_eq!(of("[package]\nname = \"a-b\"\n"), Some(package("", "a-b")));
        assert_eq!(of("[workspace]\n"), None);
    }
}
