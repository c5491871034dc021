//! The folders of a run: the package, where relative paths begin, and the target directory.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use bench_diff_system::files::slashed;
use bench_diff_system::rustc_call::profile_of;

use crate::settings::config::Config;
use crate::settings::target::Target;

/// The root of the package, where relative paths begin: as cargo and nextest say, or else as at compile time.
/// If the executable was copied to another machine, it is the current directory.
pub(crate) fn root(config: &Config, target: &Target) -> PathBuf {
    let given = config.surroundings.root_of(target);
    let existing =
        [given, Some(Path::new(target.manifest_dir))].into_iter().flatten().find(|root| root.is_dir());
    existing.map_or_else(|| env::current_dir().unwrap_or_default(), Path::to_owned)
}

/// The argument of `cargo -p`: the name and the version, or the package id if another package has the same,
/// such as a release from a registry or from git.
pub(crate) fn package_spec(target: &Target) -> String {
    let Target { package, version, manifest_dir, .. } = target;
    let locks = Path::new(manifest_dir).ancestors().map(|folder| folder.join("Cargo.lock"));
    let is_ambiguous =
        locks.filter_map(|lock| fs::read_to_string(lock).ok()).any(|lock| has_twice(&lock, package, version));
    let spec = format!("{package}@{version}");
    if !is_ambiguous {
        return spec;
    }
    let folder = slashed(Path::new(manifest_dir)).replace('%', "%25").replace('#', "%23").replace('?', "%3F");
    format!("path+file:///{}#{spec}", folder.trim_start_matches('/'))
}

/// Returns whether a lock file has two packages with this name and version.
fn has_twice(lock: &str, package: &str, version: &str) -> bool {
    let [name, version] = [format!("name = \"{package}\""), format!("version = \"{version}\"")];
    let has_both = |entry: &&str| [&name, &version].iter().all(|key| entry.lines().any(|line| line == **key));
    lock.split("[[package]]").filter(has_both).count() > 1
}

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
    use crate::fixture::{TARGET, config};
    use crate::settings::environment::Surroundings;

    #[test]
    fn the_root_that_cargo_names_overrides_the_compiled_one() {
        let folder = tempfile::tempdir().unwrap();
        let in_package = |given: &Path, package: &str, compiled| {
            let package_root = Some(given.to_owned());
            let package_name = Some(package.to_owned());
            let surroundings = Surroundings { package_root, package_name, ..Surroundings::default() };
            root(&Config { surroundings, ..config("") }, &Target { manifest_dir: compiled, ..TARGET })
        };
        let of = |given: &Path, compiled| in_package(given, TARGET.package, compiled);
        let here = env::current_dir().unwrap();
        assert_eq!(of(folder.path(), env!("CARGO_MANIFEST_DIR")), folder.path());
        let of_xtask = in_package(folder.path(), "xtask", env!("CARGO_MANIFEST_DIR"));
        assert_eq!(of_xtask, Path::new(env!("CARGO_MANIFEST_DIR")), "started by another package");
        assert_eq!(
            of(Path::new("/absent"), env!("CARGO_MANIFEST_DIR")),
            Path::new(env!("CARGO_MANIFEST_DIR"))
        );
        assert_eq!(of(Path::new("/absent"), "/absent/too"), here, "copied to another machine");
    }

    #[test]
    fn a_copy_of_the_same_version_takes_the_package_id() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("a#b").join("member");
        fs::create_dir_all(&root).unwrap();
        let root: &str = slashed(&root).leak();
        let spec = || package_spec(&Target { manifest_dir: root, ..TARGET }).replace(root, "ROOT");
        assert_eq!(spec(), "my_package@1.2.0");
        let entry = |version: &str, rest: &str| {
            format!("[[package]]\nname = \"my_package\"\nversion = \"{version}\"\n{rest}\n")
        };
        let lock = |other: &str| {
            let text = format!("{}{}", entry("1.2.0", ""), entry(other, "source = \"git+file:///a#1f\""));
            fs::write(Path::new(root).parent().unwrap().join("Cargo.lock"), text).unwrap();
        };
        lock("1.1.0");
        assert_eq!(spec(), "my_package@1.2.0");
        lock("1.2.0");
        let id =
            format!("path+file:///{}#my_package@1.2.0", root.trim_start_matches('/').replace('#', "%23"));
        assert_eq!(spec(), id);
    }

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
