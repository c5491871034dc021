//! Where the runs of a bench are stored.

use std::env;
use std::path::{Path, PathBuf};

use crate::config::Stored;
use crate::target::Target;

/// The folder in the target directory below which every package has its own.
const NAME: &str = "bench_diff";

/// Cargo writes this file into a target directory, and into no folder in it.
const TARGET_TAG: &str = "CACHEDIR.TAG";

/// The folder of this bench.
///
/// # Errors
///
/// Why there is none.
pub(crate) fn folder(stored: &Stored, target: &Target) -> Result<PathBuf, String> {
    let base = match &stored.dir {
        Some(dir) => path(dir, target),
        None => {
            let executable = env::current_exe().unwrap_or_default();
            let known = Known {
                told: stored.target_dir.as_deref(),
                root: &root(target),
                temporary: target.target_tmpdir.map(Path::new),
                executable: &executable,
            };
            known.target_directory().ok_or("nothing tells where the target directory is")?.join(NAME)
        }
    };
    Ok(base.join(target.package).join(target.bench()))
}

/// A path as it was given: relative to the package, with placeholders for its name and that of the bench.
pub(super) fn path(given: &Path, target: &Target) -> PathBuf {
    let named = given.to_str().map(|text| {
        PathBuf::from(text.replace("{package}", target.package).replace("{bench}", &target.bench()))
    });
    root(target).join(named.as_deref().unwrap_or(given))
}

/// The root of the package. Where the executable was carried to another machine it is where cargo and nextest start it.
fn root(target: &Target) -> PathBuf {
    let compiled = Path::new(target.manifest_dir);
    if compiled.is_dir() { compiled.to_owned() } else { env::current_dir().unwrap_or_default() }
}

/// What is known of the target directory.
struct Known<'a> {
    /// What `CARGO_TARGET_DIR` says.
    told: Option<&'a Path>,
    /// The root of the package.
    root: &'a Path,
    /// A folder in it, when the bench was compiled.
    temporary: Option<&'a Path>,
    executable: &'a Path,
}

impl Known<'_> {
    fn target_directory(&self) -> Option<PathBuf> {
        self.told().or_else(|| self.compiled()).or_else(|| above(self.executable))
    }

    /// What cargo was told. A relative path starts where cargo was called, which is most often the workspace or the
    /// package.
    fn told(&self) -> Option<PathBuf> {
        let told = self.told?;
        if told.is_absolute() {
            return Some(told.to_owned());
        }
        self.root.ancestors().map(|folder| folder.join(told)).find(|folder| folder.is_dir())
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
    use crate::fixture::TARGET;

    fn made(root: &Path, folder: &str) -> PathBuf {
        let folder = root.join(folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn unknown() -> Known<'static> {
        Known {
            told: None,
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
        let known = |told| {
            let told = Some(Path::new(told));
            Known { told, root: &package, temporary: Some(&temporary), ..unknown() }.target_directory()
        };
        assert_eq!(known("/absolute"), Some("/absolute".into()), "cargo makes it");
        assert_eq!(known("absent"), Some(workspace.path().join("target")));
        let out = made(workspace.path(), "out");
        assert_eq!(known("out"), Some(out), "relative to the workspace");
        let nearer = made(workspace.path(), "crates/package/out");
        assert_eq!(known("out"), Some(nearer), "relative to the package");
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

    #[test]
    fn a_folder_that_was_given_goes_before_all() {
        let of = |dir: &str| {
            let stored =
                Stored { dir: Some(dir.into()), target_dir: Some("/elsewhere".into()), ..Stored::default() };
            folder(&stored, &TARGET).unwrap()
        };
        assert_eq!(of("/runs"), Path::new("/runs/my_package/sorting"));
        assert_eq!(of("/runs/{package}-{bench}"), Path::new("/runs/my_package-sorting/my_package/sorting"));
        let here = env::current_dir().unwrap();
        assert_eq!(of("runs"), here.join("runs/my_package/sorting"), "its package is not on this machine");
        let elsewhere = Stored { target_dir: Some("/elsewhere".into()), ..Stored::default() };
        assert_eq!(
            folder(&elsewhere, &TARGET).unwrap(),
            Path::new("/elsewhere/bench_diff/my_package/sorting")
        );
    }
}
