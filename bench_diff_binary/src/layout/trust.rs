//! Checks the owner of a stored build, since its content is linked and executed.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use bench_diff_system::files::{cannot, is_own};

/// The permission bit that lets others write.
const BY_OTHERS: u32 = 0o002;

/// Refuses a folder of another user, and one that others may write to; a missing folder is fine.
///
/// # Errors
///
/// The reason, and what to do about it.
pub(super) fn require_own(folder: &Path) -> Result<(), String> {
    let metadata = match fs::symlink_metadata(folder) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(cannot("look at", folder, error).into()),
    };
    let wrong = if !metadata.is_dir() {
        "is no folder"
    } else if !is_own(&metadata) {
        "belongs to another user"
    } else if metadata.mode() & BY_OTHERS != 0 {
        "can be written to by others"
    } else {
        return Ok(());
    };
    Err(format!(
        "{} {wrong}, and what is kept in it would be executed: remove it, or set CARGO_TARGET_DIR to a folder that you own",
        folder.display()
    ))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    use super::*;
    use bench_diff_system::stderr::skipped;

    #[test]
    fn a_folder_of_another_user_is_refused() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("build-1");
        assert_eq!(require_own(&folder), Ok(()), "there is none");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o707)).unwrap();
        let refusal = require_own(&folder).unwrap_err();
        assert!(refusal.contains("build-1 can be written to by others, and what is kept in it"), "{refusal}");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o770)).unwrap();
        assert_eq!(require_own(&folder), Ok(()), "a group may be trusted");
        // Only the superuser can give a folder to another user; for everybody else, `/` is such a folder.
        let owner = |path: &Path| fs::metadata(path).unwrap().uid();
        let own = owner(&folder);
        let _ = chown(&folder, Some(12_345), None);
        match [&*folder, Path::new("/")].into_iter().find(|path| owner(path) != own) {
            Some(foreign) => {
                let refusal = require_own(foreign).unwrap_err();
                assert!(refusal.contains("belongs to another user"), "{refusal}");
            }
            None => skipped("no folder of another user can be made here"),
        }
        let link = parent.path().join("build-2");
        std::os::unix::fs::symlink(parent.path(), &link).unwrap();
        let refusal = require_own(&link).unwrap_err();
        assert!(refusal.contains("build-2 is no folder"), "{refusal}");
    }
}
