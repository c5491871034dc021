//! The check before a run: first of the bench binary, then of the libraries in it.

use std::path::{Path, PathBuf};

use bench_diff_system::executable;
use bench_diff_system::files::canonical;
use bench_diff_system::input::are_one_file;
use bench_diff_system::rustc_call::RustcCall;

use super::{Foreign, libraries, refusal};
use crate::settings::{Surroundings, Target};

/// Refuses a binary that was built, in whole or in part, in another checkout than the one in which cargo or
/// nextest runs it, or in a folder that is gone. A binary that the user starts directly is accepted.
///
/// # Errors
///
/// The folders, and what to do.
pub(crate) fn check(surroundings: &Surroundings, target: &Target) -> Result<(), String> {
    let has_starter = surroundings.package_name.is_some();
    let Some(here) = surroundings.root_of(target).filter(|_| has_starter) else { return Ok(()) };
    let call = RustcCall::of(target.rustc_call);
    // An archive or another copied build is meant to run in another checkout.
    let is_carried =
        |call: &RustcCall| !are_one_file(&executable::folder(), &call.out_folder().unwrap_or_default());
    if surroundings.nextest_run.is_some() && call.as_ref().is_some_and(is_carried) {
        return Ok(());
    }
    if let Some(gone) = gone(target, call.as_ref()).filter(|_| here.exists()) {
        return Err(format!(
            "this bench binary was built in {}, which is gone. Cargo does not notice that a folder was moved: run \
             `cargo clean` once",
            gone.display()
        ));
    }
    let foreign = match (foreign_program(here, target), &call) {
        (Some(program), _) => vec![program],
        (None, Some(call)) => libraries::foreign(call),
        (None, None) => Vec::new(),
    };
    if foreign.is_empty() { Ok(()) } else { Err(refusal(&foreign)) }
}

/// The folder of the package or of the output in which the bench binary was compiled, if that is gone.
fn gone(target: &Target, call: Option<&RustcCall>) -> Option<PathBuf> {
    let folders = [Some(target.manifest_dir.into()), call.and_then(RustcCall::out_folder)];
    folders.into_iter().flatten().find(|folder: &PathBuf| !folder.exists())
}

/// The bench binary, if it was compiled for another folder than its package's.
fn foreign_program(here: &Path, target: &Target) -> Option<Foreign> {
    let there = Path::new(target.manifest_dir);
    let [there, here] = [there, here].map(|folder| canonical(folder).ok());
    let (there, here) = there.zip(here).filter(|(there, here)| there != here)?;
    // The path of the file is relative to the root of the workspace, which is the package or above it.
    let file = Path::new(target.file);
    let source = here.ancestors().map(|folder| folder.join(file)).find(|file| file.is_file());
    let what = "this bench binary".to_owned();
    Some(Foreign { what, source: source.unwrap_or_else(|| here.join("Cargo.toml")), there, here })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;
    use crate::fixture::TARGET;

    fn checkout() -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("mine/benches")).unwrap();
        fs::write(folder.path().join("mine/benches/sorting.rs"), "").unwrap();
        folder
    }

    /// Checks a binary that was compiled in one folder and runs in another.
    fn checked(compiled: &Path, run: &Path, package: &str, nextest: bool) -> Result<(), String> {
        let surroundings = Surroundings {
            package_root: Some(run.join("mine")),
            package_name: Some(package.to_owned()),
            nextest_run: nextest.then(|| "1".to_owned()),
            ..Surroundings::default()
        };
        let manifest_dir = compiled.join("mine").display().to_string().leak();
        let out: &str = format!("--out-dir={manifest_dir}").leak();
        let rustc_call = vec!["rustc", "/", out].leak();
        check(&surroundings, &Target { manifest_dir, file: "mine/benches/sorting.rs", rustc_call, ..TARGET })
    }

    #[test]
    fn a_program_of_another_checkout_is_refused_with_both_names() {
        let (one, other) = (checkout(), checkout());
        let error = checked(one.path(), other.path(), TARGET.package, false).unwrap_err();
        let [there, here] = [&one, &other].map(|folder| canonical(folder.path()).unwrap().join("mine"));
        let [there, here] = [there.display(), here.display()];
        let names =
            format!("this bench binary was built from another checkout: from {there}, and not from {here}. ");
        assert!(error.starts_with(&names), "{error}");
        assert!(error.ends_with(&format!(" with `touch '{here}/benches/sorting.rs'`")), "{error}");
    }

    #[test]
    fn a_program_from_a_folder_that_is_gone_is_refused() {
        let one = checkout();
        let error = checked(Path::new("/absent"), one.path(), TARGET.package, false).unwrap_err();
        assert!(error.starts_with("this bench binary was built in /absent"), "{error}");
        assert!(error.ends_with(": run `cargo clean` once"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn equal_folders_and_other_packages_are_accepted() {
        let (one, other) = (checkout(), checkout());
        assert_eq!(checked(one.path(), one.path(), TARGET.package, false), Ok(()));
        let link = other.path().join("link");
        std::os::unix::fs::symlink(one.path(), &link).unwrap();
        assert_eq!(checked(one.path(), &link, TARGET.package, false), Ok(()));
        assert_eq!(checked(one.path(), other.path(), "xtask", false), Ok(()), "started by another package");
        assert_eq!(checked(one.path(), other.path(), TARGET.package, true), Ok(()), "from an archive");
        assert_eq!(check(&Surroundings::default(), &TARGET), Ok(()), "started by hand");
    }
}
