//! The paths by which the binaries of both sides know their trees, and whether they may read other files
//! there.

use std::path::{Path, PathBuf};

use bench_diff_system::rustc_call::Trees;

/// The trees of these packages, the working tree first; `None` if nothing is by its path, since both are the
/// same and no variable has another value, or if a package is in neither. `changed` are the files that
/// differ, if that is known.
pub(super) fn trees(
    packages: [&Path; 2],
    roots: [&Path; 2],
    changed: Option<&[String]>,
    variables: Vec<(String, bool)>,
) -> Option<Trees> {
    let [new, old] = [0, 1].map(|side| Some(as_named(packages[side], roots[side])?.to_str()?.to_owned()));
    let paths = [new?, old?];
    if paths[0] == paths[1] && variables.is_empty() {
        return None;
    }
    let differing = match changed {
        Some(files) => {
            files.iter().find(|file| !is_source(file)).map(|file| format!("of which {file} differs"))
        }
        None => Some("and it is not known which of those differ".to_owned()),
    };
    let reason = differing.map(|differing| format!("they may read files below their tree, {differing}"));
    Some(Trees { paths, reason, variables })
}

/// Returns whether this file is compiled, so that the comparison of machine code sees what differs. A build
/// script may write other files.
fn is_source(file: &str) -> bool {
    file.ends_with(".rs") && Path::new(file).file_name() != Some("build.rs".as_ref())
        || ["Cargo.toml", "Cargo.lock"].iter().any(|name| file.ends_with(name))
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
        let tree = at("tree");
        let same = [&*tree; 2];
        assert_eq!(trees(same, same, None, Vec::new()), None, "both sides are the same tree");
        let tool = ("CARGO_BIN_EXE_tool".to_owned(), false);
        assert!(trees(same, same, None, vec![tool]).is_some(), "it starts another program on each side");
    }

    #[test]
    fn files_that_are_no_source_may_be_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("old")).unwrap();
        let folders = [folder.path(), &folder.path().join("old")];
        let reason = |changed: &[&str]| {
            let changed: Vec<String> = changed.iter().map(|file| (*file).to_owned()).collect();
            trees(folders, folders, Some(&changed), Vec::new()).unwrap().reason
        };
        assert_eq!(reason(&["src/lib.rs", "inner/Cargo.toml", "Cargo.lock"]), None);
        let differs = "they may read files below their tree, of which data/a.txt differs";
        assert_eq!(reason(&["src/lib.rs", "data/a.txt", "b.txt"]).as_deref(), Some(differs));
        assert!(reason(&["inner/build.rs"]).is_some(), "a build script may write what is read");
        let unknown = trees(folders, folders, None, Vec::new()).unwrap().reason.unwrap();
        assert!(unknown.ends_with("it is not known which of those differ"), "{unknown}");
    }
}
