//! The directory where cargo builds, and the folder in it for what bench_diff builds and keeps.

use std::env;
use std::path::{Path, PathBuf};

use crate::settings::config::Config;
use crate::settings::target::Target;
use bench_diff_system::rustc_call::profile_of;

/// Cargo writes this file into a target directory, but not into its subfolders.
const TARGET_TAG: &str = "CACHEDIR.TAG";

/// The folder in the target directory with a subfolder for every package.
const NAME: &str = "bench_diff";

/// The folder of this bench in the target directory.
///
/// # Errors
///
/// If the target directory cannot be found.
pub(crate) fn bench_folder(config: &Config, target: &Target) -> Result<PathBuf, &'static str> {
    Ok(target_directory(config, target)?.join(NAME).join(target.package).join(target.bench()))
}

/// The target directory.
///
/// # Errors
///
/// If it cannot be found.
pub(crate) fn target_directory(config: &Config, target: &Target) -> Result<PathBuf, &'static str> {
    let given = config.surroundings.target_dir.as_deref();
    let temporary = target.target_tmpdir.map(Path::new);
    known(given, temporary, &env::current_exe().unwrap_or_default())
        .ok_or("cannot find the target directory of cargo")
}

/// `CARGO_TARGET_DIR`, or the parent of the temporary folder that cargo names when it compiles a bench, or
/// the target directory around this executable.
fn known(given: Option<&Path>, temporary: Option<&Path>, executable: &Path) -> Option<PathBuf> {
    // A relative path begins where cargo was called, which is not known.
    let given = given.filter(|given| given.is_absolute()).map(Path::to_owned);
    let compiled = || temporary.filter(|folder| folder.is_dir())?.parent().map(Path::to_owned);
    given.or_else(compiled).or_else(|| above(executable))
}

/// The target directory of an executable in `<target>/<profile>` or `<target>/<triple>/<profile>`. Only the
/// tag file of `<target>` tells which of the two it is.
fn above(executable: &Path) -> Option<PathBuf> {
    let profile = profile_of(executable.parent()?)?;
    let tagged = profile.ancestors().find(|folder| folder.join(TARGET_TAG).is_file());
    tagged.or(profile.parent()).map(Path::to_owned)
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

    #[test]
    fn cargo_target_dir_goes_first() {
        let workspace = tempfile::tempdir().unwrap();
        let temporary = made(workspace.path(), "target/tmp");
        let known = |given: &str| known(Some(Path::new(given)), Some(&temporary), Path::new("/absent/bench"));
        let absolute = workspace.path().join("absent");
        assert_eq!(known(absolute.to_str().unwrap()), Some(absolute), "cargo creates it");
        assert_eq!(
            known("out"),
            Some(workspace.path().join("target")),
            "cargo knew its base when it compiled"
        );
    }

    #[test]
    fn then_the_temporary_folder_and_then_the_executable() {
        let target = tempfile::tempdir().unwrap();
        let target = target.path();
        assert_eq!(known(None, None, Path::new("/absent/bench")), None);
        let executable = target.join("release/deps/sorting-0123");
        assert_eq!(known(None, Some(Path::new("/absent")), &executable).as_deref(), Some(target));
        let newer = target.join("release/build/sorting/0123/out/sorting-0123");
        assert_eq!(known(None, None, &newer).as_deref(), Some(target));
        assert_eq!(known(None, None, Path::new("/a/b/c/out/bench")), None);
        let triple = target.join("x86_64-unknown-linux-gnu/release/deps/sorting-0123");
        let above_triple = || known(None, None, &triple).unwrap();
        assert_eq!(above_triple(), target.join("x86_64-unknown-linux-gnu"), "nothing tells them apart");
        fs::write(target.join(TARGET_TAG), "").unwrap();
        assert_eq!(above_triple(), target);
        let temporary = made(target, "tmp");
        assert_eq!(known(None, Some(&temporary), &executable).as_deref(), Some(target));
    }
}
