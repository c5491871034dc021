//! A build of the bench binary: bench_diff compiles it once more and checks the result against the running
//! binary.
//!
//! The file with the linker call is written last, after its objects have made the running binary. So if a
//! folder named after a binary contains a call, the build was checked, and nothing in it changes afterwards.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Instant;

use bench_diff_system::executable;
use bench_diff_system::file_lock::{FileLock, LONGEST_BUILD, open};
use bench_diff_system::files::{cannot, make_folder};
use bench_diff_system::input;
use bench_diff_system::rustc_call::RustcCall;
use bench_diff_system::temporary::is_made;

use super::compile::{PASSING, compile};
use super::elf::lld::Lld;
use super::elf::{joined, map};
use super::image;
use super::link::Link;
use super::shuffle::Format;
use super::stand_in::{CALL, OBJECTS};

/// The prefix of the folders of builds, before the digits that identify the content of the binary.
const BUILDS: &str = "build-";

/// The file next to the builds that a process locks while it looks for its build or makes it.
const LOCK: &str = "build.lock";

/// The file in a build that every process locks while it links the build's objects.
const IN_USE: &str = "in_use";

/// The file with the call that links the joined object.
const JOINED: &str = "joined.json";

/// The linker's reports on an ELF binary: a map, and a rule with the files that it read.
pub(crate) const REPORTS: [&str; 2] = ["map", "rule"];

/// The objects of a bench binary, from which it can be linked again. They are kept for later runs.
pub struct Build {
    pub(super) format: Format,
    /// The call that links the objects as they were linked before.
    pub(crate) link: Link,
    /// The call that links the joined object, if that makes the same binary.
    pub(super) joined: Option<Link>,
    pub(crate) folder: PathBuf,
    /// The folders of programs, in the form of `PATH`.
    pub(super) path: OsString,
    /// The call that compiled the binary.
    pub(super) call: RustcCall,
    /// Locked while this process uses the build.
    in_use: File,
    /// True if the build stays for the next run.
    stays: bool,
}

/// A bench binary to link again.
#[derive(Clone, Copy)]
pub struct BuildRequest<'a> {
    /// What people call it: `the bench`, `the old bench`.
    pub name: &'a str,
    /// The format of its objects.
    pub format: Format,
    /// The file of the binary.
    pub program: &'a Path,
    /// The rustc call that was recorded when it was compiled.
    pub recorded: &'a [&'a str],
    /// The folder of its builds.
    pub parent: &'a Path,
    /// The folders in which lld may be installed, in the form of `PATH`.
    pub path: &'a OsStr,
    /// Shows people a line about something that takes time.
    pub say: &'a dyn Fn(&str),
}

/// The largest size of objects that stay for the next run, in bytes.
const MOST_STAYING: u64 = 200 << 20;

impl Build {
    /// Returns the build of a binary; compiles it unless an earlier run did. Waits while another process
    /// compiles a bench in the same folder.
    ///
    /// # Errors
    ///
    /// The reason why the binary cannot be linked again.
    pub fn of(request: BuildRequest<'_>) -> Result<Self, String> {
        let BuildRequest { format, program, recorded, parent, path, say, .. } = request;
        let call = RustcCall::of(recorded).ok_or("the call of rustc was not recorded")?;
        let id = executable::id_of(program).ok_or("its own file cannot be read")?;
        if parent.to_str().is_none() {
            return Err(format!("the path {} is not UTF-8", parent.display()));
        }
        make_folder(parent)?;
        let folder = parent.join(format!("{BUILDS}{id}"));
        let _locked = FileLock::wait(&parent.join(LOCK), "compiles this bench once more", LONGEST_BUILD)?;
        remove_others(parent, &folder);
        #[cfg(unix)]
        require_own(&folder)?;
        let earlier = Link::read(&folder.join(CALL)).ok().filter(Link::is_unchanged);
        let link = match earlier {
            Some(link) => link,
            None => make(&request, &call, &folder).inspect_err(|_| {
                remove_unless_used(&folder);
            })?,
        };
        let used = folder.join(IN_USE);
        let in_use = open(&used).and_then(|file| file.lock_shared().map(|()| file));
        let in_use = in_use.map_err(|error| cannot("lock", &used, error))?;
        let joined = Link::read(&folder.join(JOINED)).ok();
        let bytes = bytes_in(&folder.join(OBJECTS)) + bytes_in(&folder);
        let stays = bytes <= MOST_STAYING;
        if !stays {
            say(&format!(
                "its objects take {} MB: they are removed at the end of this run, and the next run compiles again",
                bytes >> 20
            ));
        }
        Ok(Self { format, link, joined, folder, path: path.to_owned(), call, in_use, stays })
    }

    /// Returns whether the machine code of its functions can be compared.
    pub fn has_proofs(&self) -> bool {
        self.format == Format::Elf
    }

    /// The folder of the build, in which more can be kept about the binary.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        let lock = self.folder.with_file_name(LOCK);
        if !self.stays
            // A process that holds this lock may be about to use the build.
            && let Ok(lock) = open(&lock)
            && lock.try_lock().is_ok()
        {
            let _ = self.in_use.unlock();
            remove_unless_used(&self.folder);
        }
    }
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = input::entries(folder);
    entries.iter().filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum()
}

/// Compiles the binary once more, and checks that the result is the same.
fn make(request: &BuildRequest<'_>, call: &RustcCall, folder: &Path) -> Result<Link, String> {
    let BuildRequest { name, format, program, path, say, .. } = *request;
    if !remove_unless_used(folder) {
        return Err(format!(
            "{} is not as it was checked, and in use: remove it when no bench runs",
            folder.display()
        ));
    }
    say(&format!("compiling {name} once more, to place its functions at random: once for each build"));
    let start = Instant::now();
    let link = compile(call, folder)?;
    say(&format!("compiled in {:.1} s", start.elapsed().as_secs_f64()));
    check(format, &link, program, folder)?;
    let (object, passing) = (folder.join(joined::OBJECT), folder.join(PASSING));
    if format == Format::Elf
        && let Some(lld) = Lld::of(&call.rustc, path)
    {
        match joined::join(&lld, &link, program, &object, &passing.join("joining")) {
            Ok(joined) => joined.write(&folder.join(JOINED))?,
            Err(reason) => {
                let _ = fs::remove_file(&object);
                say(&format!("linking takes longer than usual: {reason}"));
            }
        }
    }
    let _ = fs::remove_dir_all(&passing);
    link.write(&folder.join(CALL))?;
    Ok(link)
}

/// Checks that this linker call makes the running binary: the loaded parts must be equal byte for byte.
fn check(format: Format, link: &Link, program: &Path, folder: &Path) -> Result<(), String> {
    let again = link.binary();
    let mut arguments = link.arguments_to(&again);
    if format == Format::Elf {
        let [map, rule] = REPORTS.map(|report| folder.join(report));
        arguments.extend(map::options(&map, &rule).iter().flat_map(|option| link.passed(option)));
    }
    // Some linkers don't have these options.
    link.run(&arguments, &again).or_else(|_| link.make(&again))?;
    let other = "compiling it once more gave a different binary: its sources may have changed";
    image::require_same(&again, program, other)
}

/// Removes builds of earlier binaries that no process uses.
fn remove_others(parent: &Path, own: &Path) {
    for entry in input::entries(parent) {
        let is_build = entry.file_name().to_str().is_some_and(|name| is_made(BUILDS, name))
            // The target of a symbolic link may belong to somebody else.
            && entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_build && entry.path() != own {
            remove_unless_used(&entry.path());
        }
    }
}

/// Removes a build unless a process uses it, and returns whether it is gone. The file of the call goes first,
/// so an interrupted removal leaves no build that looks complete.
fn remove_unless_used(build: &Path) -> bool {
    // Every user of a build has locked this file, so a build without it has no users.
    let in_use = input::open(&build.join(IN_USE)).ok();
    if in_use.as_ref().is_some_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock))) {
        return false;
    }
    let _ = fs::remove_file(build.join(CALL));
    let _ = fs::remove_dir_all(build);
    !build.exists()
}

/// The permission bit that lets others write.
#[cfg(unix)]
const BY_OTHERS: u32 = 0o002;

/// Refuses a folder of another user, and one that others may write to, since the content of a build is linked
/// and executed; a missing folder is fine.
///
/// # Errors
///
/// The reason, and what to do about it.
#[cfg(unix)]
fn require_own(folder: &Path) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt as _;

    use bench_diff_system::files::is_own;

    let metadata = match fs::symlink_metadata(folder) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(cannot("look at", folder, error)),
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

// Wine keeps a folder with an open file.
#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

    use bench_diff_system::stderr::skipped;

    use super::*;

    #[test]
    fn former_builds_go_unless_a_process_uses_them() {
        let parent = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let folder = parent.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join(IN_USE), "").unwrap();
            folder
        };
        let build = |digit| folder(&format!("build-000000000000000{digit}"));
        let [own, former, busy, torn] = [1, 2, 3, 4].map(build);
        let unrelated = folder("build-mine");
        fs::remove_file(torn.join(IN_USE)).unwrap();
        let uses = open(&busy.join(IN_USE)).unwrap();
        uses.lock_shared().unwrap();
        symlink(&unrelated, parent.path().join("build-0000000000000005")).unwrap();
        remove_others(parent.path(), &own);
        let there = [&own, &former, &busy, &torn, &unrelated.join(IN_USE)].map(|path| path.exists());
        assert_eq!(there, [true, false, true, false, true]);
        assert!(!remove_unless_used(&busy));
        uses.unlock().unwrap();
        assert!(remove_unless_used(&busy) && remove_unless_used(&busy), "a removed build counts as gone");
    }

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
        symlink(parent.path(), &link).unwrap();
        let refusal = require_own(&link).unwrap_err();
        assert!(refusal.contains("build-2 is no folder"), "{refusal}");
    }
}
