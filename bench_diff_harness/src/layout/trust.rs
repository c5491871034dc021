//! What may be executed to link the program again: the programs that made it, on the machine where they did,
//! out of a folder into which nobody else writes.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::call::{Origin, RustcCall};
use super::cannot;
use super::link::Link;
use crate::system::{input, owner, temporary};

/// Names this machine, where the system has a name for it.
const MACHINE: &str = "/etc/machine-id";

/// Refuses what was recorded on another machine, or names programs that have been exchanged since.
///
/// # Errors
///
/// Which of them it is, and what would be right.
pub(super) fn require_origin(call: &RustcCall) -> Result<(), String> {
    let Origin { rustc, linker, machine } = &call.origin;
    if *machine != identity(Some(Path::new(MACHINE))) {
        return Err("it was compiled on another machine: build the bench on this one".to_owned());
    }
    if *rustc != identity(Some(&call.rustc)) {
        let path = call.rustc.display();
        return Err(format!("{path} is not the compiler any more that compiled it: build the bench again"));
    }
    let found = find(call.linker(), &call.folder, env::var_os("PATH").as_deref());
    if !is_recorded(linker, found.as_deref()) {
        return Err(format!(
            "the linker {} is not the one any more that linked it: build the bench again, after `cargo clean`",
            call.linker()
        ));
    }
    Ok(())
}

/// Whether a kept call is one of the linker that this call of rustc names.
pub(super) fn is_linker_of(link: &Link, call: &RustcCall) -> bool {
    let found = find(&link.linker, Path::new(&link.folder), link.search_path());
    link.linker == call.linker() && is_recorded(&call.origin.linker, found.as_deref())
}

/// Whether this is the linker of which so much was recorded, if anything was.
fn is_recorded(recorded: &str, linker: Option<&Path>) -> bool {
    recorded.is_empty() || recorded == identity(linker)
}

/// Makes a folder for what is going to be executed, where there is none, and refuses one of others.
///
/// # Errors
///
/// Why it cannot be made, or what would be right.
pub(super) fn own_folder(folder: &Path) -> Result<(), String> {
    let parent = folder.parent().map_or(Ok(()), fs::create_dir_all);
    match parent.and_then(|()| temporary::private().create(folder)) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(cannot("make", folder, error)),
        _ => require_own(folder),
    }
}

#[cfg(unix)]
fn require_own(folder: &Path) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;

    /// What lets others write.
    const BY_OTHERS: u32 = 0o002;

    let metadata = fs::symlink_metadata(folder).map_err(|error| cannot("look at", folder, error))?;
    let wrong = if !metadata.is_dir() {
        "is no folder"
    } else if !owner::is_own(&metadata) {
        "belongs to another user"
    } else if metadata.mode() & BY_OTHERS != 0 {
        "can be written to by others"
    } else {
        return Ok(());
    };
    Err(format!(
        "{} {wrong}, and what is kept in it would be executed: remove it, or set CARGO_TARGET_DIR to a folder of your own",
        folder.display()
    ))
}

/// What others may do there is not looked at.
#[cfg(not(unix))]
fn require_own(_: &Path) -> Result<(), String> {
    Ok(())
}

/// What tells the content of a file from any other; empty where nobody knows it. What records a call of rustc
/// does the same.
fn identity(file: Option<&Path>) -> String {
    let content =
        file.and_then(|file| input::read(file, u64::MAX).ok()).filter(|content| !content.is_empty());
    content.map_or_else(String::new, |content| {
        let mut hasher = DefaultHasher::new();
        hasher.write(&content);
        format!("{:016x}", hasher.finish())
    })
}

/// The file of a program that is called in this folder.
fn find(program: &str, folder: &Path, path: Option<&OsStr>) -> Option<PathBuf> {
    if program.contains(['/', '\\']) {
        return Some(folder.join(program));
    }
    env::split_paths(path?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, chown};

    use super::super::link::tests::link;
    use super::*;

    /// A call of a compiler with a linker, both in this folder, that was recorded here.
    fn call(folder: &Path) -> RustcCall {
        let [rustc, linker] = ["rustc", "linker"].map(|name| folder.join(name));
        fs::write(&rustc, "a compiler").unwrap();
        fs::write(&linker, "a linker").unwrap();
        let [of_rustc, of_linker, machine] =
            [rustc.as_path(), &linker, Path::new(MACHINE)].map(|file| identity(Some(file)));
        let option = format!("-Clinker={}", linker.display());
        let rustc = rustc.to_str().unwrap();
        RustcCall::of(&[rustc, &of_rustc, &of_linker, &machine, "/", "--crate-name", "a", &option]).unwrap()
    }

    #[test]
    fn programs_that_were_exchanged_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let call = call(folder.path());
        assert_eq!(require_origin(&call), Ok(()));
        let refused = |name: &str| {
            let (path, before) = (folder.path().join(name), fs::read(folder.path().join(name)).unwrap());
            let mut refusals = Vec::new();
            fs::write(&path, "another").unwrap();
            refusals.push(require_origin(&call).unwrap_err());
            fs::remove_file(&path).unwrap();
            refusals.push(require_origin(&call).unwrap_err());
            nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
            refusals.push(require_origin(&call).unwrap_err());
            fs::remove_file(&path).unwrap();
            fs::write(&path, before).unwrap();
            refusals
        };
        for refusal in refused("rustc") {
            assert!(
                refusal.contains("rustc is not the compiler any more that compiled it: build"),
                "{refusal}"
            );
        }
        for refusal in refused("linker") {
            assert!(refusal.contains("linker is not the one any more that linked it: build"), "{refusal}");
        }
        assert_eq!(require_origin(&call), Ok(()));
    }

    #[test]
    fn a_record_of_another_machine_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut call = call(folder.path());
        call.origin.machine = "0123456789abcdef".to_owned();
        let refusal = require_origin(&call).unwrap_err();
        assert_eq!(refusal, "it was compiled on another machine: build the bench on this one");
    }

    #[test]
    fn a_kept_call_is_of_the_recorded_linker() {
        let folder = tempfile::tempdir().unwrap();
        let call = call(folder.path());
        assert!(is_linker_of(&link(call.linker(), &["-o", "a"]), &call));
        fs::copy(folder.path().join("linker"), folder.path().join("other")).unwrap();
        let other = folder.path().join("other");
        assert!(
            !is_linker_of(&link(other.to_str().unwrap(), &["-o", "a"]), &call),
            "the same under another name"
        );
        fs::write(folder.path().join("linker"), "another").unwrap();
        assert!(!is_linker_of(&link(call.linker(), &["-o", "a"]), &call));
    }

    #[test]
    fn a_folder_of_others_is_refused() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("a/build-1");
        assert_eq!(own_folder(&folder), Ok(()));
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(own_folder(&folder), Ok(()), "once more");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o707)).unwrap();
        let refusal = own_folder(&folder).unwrap_err();
        assert!(refusal.contains("build-1 can be written to by others, and what is kept in it"), "{refusal}");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o770)).unwrap();
        assert_eq!(own_folder(&folder), Ok(()), "a group has its reasons");
        // Only the superuser can give a folder away.
        if chown(&folder, Some(12_345), None).is_ok() {
            let refusal = own_folder(&folder).unwrap_err();
            assert!(refusal.contains("belongs to another user"), "{refusal}");
        }
        let link = parent.path().join("a/build-2");
        std::os::unix::fs::symlink(parent.path(), &link).unwrap();
        let refusal = own_folder(&link).unwrap_err();
        assert!(refusal.contains("build-2 is no folder"), "{refusal}");
    }
}
