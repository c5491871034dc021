//! The directory in which cargo builds, and bench_diff stores runs.

use std::env;
use std::path::{Path, PathBuf};

use super::root::root;
use crate::settings::config::Config;
use crate::settings::target::Target;

/// Cargo writes this file into a target directory, and into no folder in it.
const TARGET_TAG: &str = "CACHEDIR.TAG";

/// The target directory, where anything tells.
pub(crate) fn target_directory(config: &Config, target: &Target) -> Option<PathBuf> {
    let known = Known {
        given: config.stored.target_dir.as_deref(),
        root: &root(config, target),
        temporary: target.target_tmpdir.map(Path::new),
        executable: &env::current_exe().unwrap_or_default(),
    };
    known.target_directory()
}

/// The hints at the target directory.
struct Known<'a> {
    /// The value of `CARGO_TARGET_DIR`.
    given: Option<&'a Path>,
    /// The root of the package.
    root: &'a Path,
    /// A folder in it, when the bench was compiled.
    temporary: Option<&'a Path>,
    executable: &'a Path,
}

impl Known<'_> {
    fn target_directory(&self) -> Option<PathBuf> {
        let absolute = self.given.filter(|given| given.is_absolute()).map(Path::to_owned);
        absolute.or_else(|| self.compiled()).or_else(|| self.relative()).or_else(|| above(self.executable))
    }

    /// A relative path starts where cargo was called, which is most often the workspace or the package.
    fn relative(&self) -> Option<PathBuf> {
        let given = self.given?;
        self.root.ancestors().map(|folder| folder.join(given)).find(|folder| folder.is_dir())
    }

    fn compiled(&self) -> Option<PathBuf> {
        self.temporary.filter(|folder| folder.is_dir())?.parent().map(Path::to_owned)
    }
}

/// The target directory of an executable in `<target>/<profile>/deps` or `<target>/<triple>/<profile>/deps`.
fn above(executable: &Path) -> Option<PathBuf> {
    let deps = executable.parent().filter(|folder| folder.ends_with("deps"))?;
    let above_profile = deps.parent()?.parent()?;
    let above_triple = above_profile.parent().filter(|folder| is_tagged(folder) && !is_tagged(above_profile));
    Some(above_triple.unwrap_or(above_profile).to_owned())
}

fn is_tagged(folder: &Path) -> bool {
    folder.join(TARGET_TAG).is_file()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn made(root: &Path, folder: &str) -> PathBuf {
        let folder = root.join(folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn unknown() -> Known<'static> {
        Known {
            given: None,
            root: Path::new("/absent/package"),
            temporary: None,
            executable: Path::new("/absent/bench"),
        }
    }

    #[test]
    fn what_cargo_was_told_goes_first() {
        let workspace = tempfile::tempdir().unwrap();
        let package = made(workspace.path(), "crates/package");
        let temporary = made(workspace.path(), "target/tmp");
        let known = |given, temporary| {
            let given = Some(Path::new(given));
            Known { given, root: &package, temporary, ..unknown() }.target_directory()
        };
        let there = Some(temporary.as_path());
        assert_eq!(known("/absolute", there), Some("/absolute".into()), "cargo makes it");
        assert_eq!(known("absent", there), Some(workspace.path().join("target")));
        let out = made(workspace.path(), "out");
        assert_eq!(
            known("out", there),
            Some(workspace.path().join("target")),
            "who compiled knew what it starts at"
        );
        assert_eq!(known("out", None), Some(out), "relative to the workspace");
        let nearer = made(workspace.path(), "crates/package/out");
        assert_eq!(known("out", None), Some(nearer), "relative to the package");
    }

    #[test]
    fn then_what_the_compilation_knew_and_then_the_executable() {
        let target = tempfile::tempdir().unwrap();
        let target = target.path();
        assert_eq!(unknown().target_directory(), None);
        let executable = target.join("release/deps/sorting-0123");
        let known = Known { executable: &executable, temporary: Some(Path::new("/absent")), ..unknown() };
        assert_eq!(known.target_directory().as_deref(), Some(target));
        let triple = target.join("x86_64-unknown-linux-gnu/release/deps/sorting-0123");
        let above_triple = || Known { executable: &triple, ..unknown() }.target_directory().unwrap();
        assert_eq!(above_triple(), target.join("x86_64-unknown-linux-gnu"), "nothing tells them apart");
        fs::write(target.join(TARGET_TAG), "").unwrap();
        assert_eq!(above_triple(), target);
        let temporary = made(target, "tmp");
        assert_eq!(
            Known { temporary: Some(&temporary), ..known }.target_directory().as_deref(),
            Some(target)
        );
    }
}
