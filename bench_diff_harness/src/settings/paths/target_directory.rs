//! The directory in which cargo builds, and bench_diff stores runs.

use std::env;
use std::path::{Path, PathBuf};

use crate::settings::config::Config;
use crate::settings::target::Target;

/// Cargo writes this file into a target directory, and into no folder in it.
const TARGET_TAG: &str = "CACHEDIR.TAG";

/// The target directory, where anything tells.
pub(crate) fn target_directory(config: &Config, target: &Target) -> Option<PathBuf> {
    let given = config.surroundings.target_dir.as_deref();
    let temporary = target.target_tmpdir.map(Path::new);
    known(given, temporary, &env::current_exe().unwrap_or_default())
}

/// That of `CARGO_TARGET_DIR`, or the one around the folder that cargo names when it compiles a bench, or the
/// one around this executable.
fn known(given: Option<&Path>, temporary: Option<&Path>, executable: &Path) -> Option<PathBuf> {
    // A relative path starts where cargo was called.
    let given = given.filter(|given| given.is_absolute()).map(Path::to_owned);
    let compiled = || temporary.filter(|folder| folder.is_dir())?.parent().map(Path::to_owned);
    given.or_else(compiled).or_else(|| above(executable))
}

/// The folder of the profile around one that rustc writes to: `deps`, or `build/PACKAGE/HASH/out` of newer
/// versions of cargo.
pub(crate) fn profile_of(out: &Path) -> Option<&Path> {
    match out.file_name()?.to_str()? {
        "deps" => out.parent(),
        "out" => out.ancestors().nth(3).filter(|build| build.ends_with("build"))?.parent(),
        _ => None,
    }
}

/// The target directory of an executable of `<target>/<profile>` or `<target>/<triple>/<profile>`, which
/// nothing but the tag of the former tells apart.
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
    fn what_cargo_was_told_goes_first() {
        let workspace = tempfile::tempdir().unwrap();
        let temporary = made(workspace.path(), "target/tmp");
        let known = |given| known(Some(Path::new(given)), Some(&temporary), Path::new("/absent/bench"));
        assert_eq!(known("/absolute"), Some("/absolute".into()), "cargo makes it");
        assert_eq!(
            known("out"),
            Some(workspace.path().join("target")),
            "who compiled knew what it starts at"
        );
    }

    #[test]
    fn then_what_the_compilation_knew_and_then_the_executable() {
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
