//! The trees of both sides, by the paths that their binaries know.

use std::path::{Path, PathBuf};

use crate::code::Trees;

/// The trees of these packages, the working tree first; `None` if nothing is by its path, since both are the
/// same and no variable has another value, or if a package is in neither.
pub(super) fn trees(
    packages: [&Path; 2],
    roots: [&Path; 2],
    changed: Option<Vec<String>>,
    variables: Vec<(String, Option<String>)>,
) -> Option<Trees> {
    let [now, old] = [0, 1].map(|side| Some(as_named(packages[side], roots[side])?.to_str()?.to_owned()));
    let paths = [now?, old?];
    let package = Path::new(packages[0]).strip_prefix(&paths[0]).ok()?;
    let package = package.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    let differ = paths[0] != paths[1] || !variables.is_empty();
    differ.then_some(Trees { paths, package, changed, variables })
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
            Some((names, trees.package))
        };
        let names = |now: &str| [now, "old"].map(str::to_owned);
        assert_eq!(paths("tree/inner"), Some((names("tree"), "inner".to_owned())));
        assert_eq!(paths("link/inner"), Some((names("link"), "inner".to_owned())));
        assert_eq!(paths("tree"), Some((names("tree"), String::new())));
        assert_eq!(paths("old/inner"), None, "the package is in another tree");
        let tree = at("tree");
        let same = [&*tree; 2];
        assert_eq!(trees(same, same, None, Vec::new()), None, "both sides are the same tree");
        let tool = ("CARGO_BIN_EXE_tool".to_owned(), None);
        assert!(trees(same, same, None, vec![tool]).is_some(), "it starts another program on each side");
    }
}
