//! The paths by which the binaries of both sides know their trees, and whether they may read other files
//! there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bench_diff_system::rustc_call::Trees;

use super::manifest::MANIFEST;
use super::prepare::LOCK;

/// The trees of these packages, the working tree first; `None` if nothing is by its path, since both are the
/// same and no variable has another value, or if a package is in neither. `changed` are the files that
/// differ where machine code may not show it, if that is known.
pub(super) fn trees(
    packages: [&Path; 2],
    roots: [&Path; 2],
    changed: Option<&[String]>,
    variables: Vec<(String, bool)>,
) -> Option<Trees> {
    let named = [0, 1].map(|side| as_named(packages[side], roots[side]));
    let differ = named.iter().all(Option::is_some) && named[0] != named[1];
    if !differ && variables.is_empty() {
        return None;
    }
    let paths = [0, 1].map(|side| named[side].as_deref().unwrap_or(roots[side]).display().to_string());
    let differing = match changed {
        Some(files) => files.first().map(|file| format!("of which {file} differs")),
        None => Some("and it is not known which of those differ".to_owned()),
    };
    let reason = differing.map(|differing| format!("they may read files below their tree, {differing}"));
    Some(Trees { paths, reason, variables })
}

/// Returns whether machine code shows what differs in this file of the working tree: it is gone, or among
/// these manifests, lock files and sources of crates. A build script is not among them, and may write other
/// files.
pub(super) fn is_shown(file: &Path, known: &BTreeSet<PathBuf>) -> bool {
    // The compiler knows data as well that it includes, which may be read at run time too.
    let is_rust = file.extension().is_some_and(|it| it == "rs");
    let is_read = is_rust || file.ends_with(MANIFEST) || file.ends_with(LOCK);
    is_read && (known.contains(file) || !file.exists())
}

/// The path of a tree as a prefix of a package's path, which may contain symbolic links.
fn as_named(package: &Path, root: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let is_root = |folder: &&Path| folder.canonicalize().is_ok_and(|folder| folder == root);
    package.ancestors().find(is_root).map(Path::to_owned)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_tree_has_the_path_that_its_packages_have() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("tree/inner")).unwrap();
        fs::create_dir_all(at("old/inner")).unwrap();
        symlink(at("tree"), at("link")).unwrap();
        let paths = |package: &str| {
            let roots = [&*at("tree"), &at("old")];
            let trees = trees([&at(package), &at("old/inner")], roots, None, Vec::new())?;
            let names = trees.paths.map(|path| path.rsplit_once('/').unwrap().1.to_owned());
            Some(names)
        };
        let names = |new: &str| [new, "old"].map(str::to_owned);
        assert_eq!(paths("tree/inner"), Some(names("tree")));
        assert_eq!(paths("link/inner"), Some(names("link")));
        assert_eq!(paths("tree"), Some(names("tree")));
        assert_eq!(paths("old/inner"), None, "the package is in another tree");
        let roots = [&*at("tree"), &at("old")];
        let set = || vec![("SIZE".to_owned(), false)];
        assert!(trees([&at("old/inner"); 2], roots, None, set()).is_some(), "a build script set a variable");
        let tree = at("tree");
        let same = [&*tree; 2];
        assert_eq!(trees(same, same, None, Vec::new()), None, "both sides are the same tree");
        let tool = ("CARGO_BIN_EXE_tool".to_owned(), false);
        assert!(trees(same, same, None, vec![tool]).is_some(), "it starts another program on each side");
    }

    #[test]
    fn functions_may_read_what_the_compiler_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for file in [
            "src/lib.rs",
            "inner/Cargo.toml",
            "Cargo.lock",
            "data/big.rs",
            "build.rs",
            "data/a.txt",
            "data/Cargo.lock",
        ] {
            fs::create_dir_all(at(file).parent().unwrap()).unwrap();
            fs::write(at(file), "").unwrap();
        }
        let known = BTreeSet::from(["src/lib.rs", "inner/Cargo.toml", "Cargo.lock"].map(at));
        for (file, expected) in [
            ("src/lib.rs", true),
            ("src/gone.rs", true),
            ("inner/Cargo.toml", true),
            ("Cargo.lock", true),
            ("gone/Cargo.toml", true),
            ("data/Cargo.lock", false),
            ("data/big.rs", false),
            ("data/a.txt", false),
            ("build.rs", false),
        ] {
            assert_eq!(is_shown(&at(file), &known), expected, "{file}");
        }

        fs::create_dir(at("old")).unwrap();
        let folders = [folder.path(), &at("old")];
        let reason =
            |changed: Option<&[String]>| trees(folders, folders, changed, Vec::new()).unwrap().reason;
        assert_eq!(reason(Some(&[])), None);
        let differs = "they may read files below their tree, of which data/a.txt differs";
        let changed = ["data/a.txt", "b.txt"].map(str::to_owned);
        assert_eq!(reason(Some(&changed)).as_deref(), Some(differs));
        assert!(reason(None).unwrap().ends_with("it is not known which of those differ"));
    }
}
