//! Finds the working tree's package in an old tree, where it may be in another folder or have another name.

use std::fs;
use std::path::{Path, PathBuf};

use super::toml::{Table, at, parse};

/// A package, as described by its manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Package {
    /// The path of its manifest from the root of its tree.
    pub(super) manifest: PathBuf,
    pub(super) name: String,
    pub(super) library: String,
}

impl Package {
    /// The package with this manifest; `None` if it describes none, such as that of a virtual workspace.
    pub(super) fn read(tree: &Path, manifest: PathBuf) -> Option<Self> {
        let text = fs::read_to_string(tree.join(&manifest)).ok()?;
        Self::of(&parse(&text).ok()?, manifest)
    }

    fn of(table: &Table, manifest: PathBuf) -> Option<Self> {
        let text = |path: &[&str]| Some(at(table, path)?.as_text()?.to_owned());
        let name = text(&["package", "name"])?;
        let library = text(&["lib", "name"]).unwrap_or_else(|| name.replace('-', "_"));
        Some(Self { manifest, name, library })
    }

    /// Finds this package among the packages of another tree: the one with the name that the user gives, or
    /// else the one with the same name, in the same folder, or the only one with the same library.
    pub(super) fn found_in<'p>(&self, others: &'p [Self], given_name: Option<&str>) -> Option<&'p Self> {
        let name = given_name.unwrap_or(&self.name);
        let is_named = |other: &&Self| other.name == name;
        let is_here = |other: &&Self| other.manifest == self.manifest;
        // Test data may contain packages of the same name in deeper folders.
        let depth = |other: &&Self| other.manifest.components().count();
        let named = others.iter().filter(is_named).find(is_here);
        let named = named.or_else(|| others.iter().filter(is_named).min_by_key(depth));
        if named.is_some() || given_name.is_some() {
            return named;
        }
        let mut same_library = others.iter().filter(|other| other.library == self.library);
        others.iter().find(is_here).or_else(|| same_library.next().filter(|_| same_library.next().is_none()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(folder: &str, name: &str, library: &str) -> Package {
        Package {
            manifest: Path::new(folder).join("Cargo.toml"),
            name: name.to_owned(),
            library: library.to_owned(),
        }
    }

    #[test]
    fn a_package_is_found_by_name_folder_or_library() {
        let mine = package("crates/mine", "mine", "mine");
        let others = [
            package("", "whole", "whole"),
            package("tests/data/deep/mine", "mine", "mine"),
            package("old/mine", "mine", "mine"),
        ];
        let found = |others: &[Package], given_name| {
            mine.found_in(others, given_name).map(|found| found.manifest.clone())
        };
        assert_eq!(found(&others, None).unwrap(), Path::new("old/mine/Cargo.toml"));
        assert_eq!(found(&others, Some("whole")).unwrap(), Path::new("Cargo.toml"));
        assert_eq!(found(&others, Some("absent")), None);
        let renamed = [package("x", "x", "x"), package("crates/mine", "other", "other")];
        assert_eq!(found(&renamed, None).unwrap(), Path::new("crates/mine/Cargo.toml"));
        let moved = [package("x", "x", "x"), package("y", "mine-old", "mine")];
        assert_eq!(found(&moved, None).unwrap(), Path::new("y/Cargo.toml"));
        let twice = [moved[1].clone(), package("z", "z", "mine")];
        assert_eq!(found(&twice, None), None);
    }

    #[test]
    fn a_package_is_described_by_its_manifest() {
        let of = |text: &str| Package::of(&parse(text).unwrap(), "Cargo.toml".into());
        assert_eq!(of("[package]\nname = \"a-b\"\n"), Some(package("", "a-b", "a_b")));
        assert_eq!(of("[package]\nname = \"a\"\n[lib]\nname = \"b\"\n"), Some(package("", "a", "b")));
        assert_eq!(of("[workspace]\n"), None);
    }
}
