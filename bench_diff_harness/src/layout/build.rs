//! A build of the program: compiled once more, and checked against the program that runs.

use std::env;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::call::{INCREMENTAL, OUT, RustcCall};
use super::cannot;
use super::image::is_same;
use super::link::{LARGEST, Link};
use super::linker::{self, OBJECTS};
use super::trust;
use crate::system::temporary::TempFolder;
use crate::system::{input, lifeline, stderr};

/// What the names of the folders of builds begin with, before a name for the content of the program.
const BUILD: &str = "build-";

/// The file in the folder of a build that is locked while one process makes it.
const LOCK: &str = "lock";
/// The file in it that is locked by every process that uses it, or waits to.
const IN_USE: &str = "in_use";
/// The file in it that is locked by every process that links its objects.
const LINKED: &str = "linked";

/// The file in it that says why the program cannot be linked again, where compiling does not change that.
const REFUSAL: &str = "refusal";

/// The folder in it for what rustc removes again while it compiles.
const TEMPORARY: &str = "tmp";

/// The linker, as far as its name decides how rustc calls it.
const UNKNOWN_LINKER: &str = if cfg!(windows) { "bench_diff_linker.exe" } else { "bench_diff_linker" };

/// The objects of the running program, of which it can be linked again.
pub(super) struct Build {
    pub(super) link: Link,
    pub(super) folder: PathBuf,
    /// Locked for as long as it is used.
    in_use: File,
    _linked: File,
    /// Whether it stays for the next run.
    is_kept: bool,
}

/// The most bytes of objects that stay for the next run.
const MOST_KEPT: u64 = 200 << 20;

impl Build {
    /// The build of this program, below this folder. It is compiled once more unless an earlier run did.
    ///
    /// # Errors
    ///
    /// Why it cannot be linked again.
    pub(super) fn of(program: &Path, id: &str, call: &RustcCall, parent: &Path) -> Result<Self, String> {
        let folder = parent.join(format!("{BUILD}{id}"));
        trust::own_folder(&folder)?;
        let in_use = shared(&folder.join(IN_USE))?;
        let _locked = lock(&folder.join(LOCK))?;
        remove_others(parent, &folder);
        // A run that was killed left them there.
        remove_passing(&folder);
        let call_of_linker = folder.join(linker::CALL);
        let link = match Link::read(&call_of_linker) {
            Ok(kept) if trust::is_linker_of(&kept, call) && makes(&kept, program, &folder).is_ok() => kept,
            _ => {
                refuse_again(&folder)?;
                refuse_while_linked(&folder)?;
                compile(call, &folder)?;
                let link = Link::read(&call_of_linker)?;
                makes(&link, program, &folder).inspect_err(|reason| remember(reason, &folder))?;
                link
            }
        };
        let _linked = shared(&folder.join(LINKED))?;
        let bytes = bytes_in(&folder.join(OBJECTS));
        let is_kept = bytes <= MOST_KEPT;
        if !is_kept {
            let megabytes = bytes >> 20;
            stderr::say(&format!(
                "its objects take {megabytes} MB, so they go when this run ends, and the next compiles again"
            ));
        }
        Ok(Self { link, folder, in_use, _linked, is_kept })
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = self.in_use.unlock();
            remove_unless_used(&self.folder);
        }
    }
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = input::entries(folder);
    entries.iter().filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum()
}

/// Checks that this call of the linker makes the program that runs, byte for byte as far as it is loaded.
fn makes(link: &Link, program: &Path, folder: &Path) -> Result<(), String> {
    let links = TempFolder::in_one_of(&[folder.to_owned()], "check-")
        .map_err(|error| cannot("write to", folder, error))?;
    // Some systems write the name of the file into it.
    let again = links.path().join(program.file_name().unwrap_or_default());
    link.make(&again)?;
    match is_same(&again, program) {
        Ok(true) => Ok(()),
        Ok(false) => Err(ANOTHER_PROGRAM.to_owned()),
        Err(error) => Err(format!("cannot compare it with itself: {error}")),
    }
}

const ANOTHER_PROGRAM: &str = "compiled once more, it is another program: its sources may have changed";

/// Keeps what is wrong with a program that is another one however often it is compiled, so that no other run
/// tries. What else can go wrong may go right the next time.
fn remember(reason: &str, folder: &Path) {
    if reason == ANOTHER_PROGRAM {
        // Without it the next run compiles again.
        let _ = fs::write(folder.join(REFUSAL), reason);
    }
}

/// Refuses what was refused to an earlier run of this program.
fn refuse_again(folder: &Path) -> Result<(), String> {
    text_of(&folder.join(REFUSAL)).map_or(Ok(()), Err)
}

fn text_of(file: &Path) -> Option<String> {
    let bytes = input::read(file, LARGEST).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Refuses to compile where another process links the objects that there are.
fn refuse_while_linked(folder: &Path) -> Result<(), String> {
    match open(&folder.join(LINKED))?.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            Err("its objects do not make it any more, and another process uses them".to_owned())
        }
        Err(TryLockError::Error(error)) => Err(cannot("lock", folder, error)),
    }
}

/// Compiles the program once more, with this program as the linker.
fn compile(call: &RustcCall, folder: &Path) -> Result<(), String> {
    let start = Instant::now();
    let not_written = |error: io::Error| cannot("write to", folder, error);
    let reason = folder.join(linker::REASON);
    let _ = fs::remove_file(&reason);
    for name in [OBJECTS, OUT, TEMPORARY, INCREMENTAL] {
        let part = folder.join(name);
        if part.exists() {
            fs::remove_dir_all(&part).map_err(not_written)?;
        }
        fs::create_dir_all(&part).map_err(not_written)?;
    }
    for kept in call.incremental() {
        copy(&kept, &folder.join(INCREMENTAL).join(kept.file_name().unwrap_or_default()))
            .map_err(not_written)?;
    }
    let recorded = folder.join("rustc_call");
    fs::write(&recorded, call.recorded()).map_err(not_written)?;
    let slow =
        if call.compiles_when_linking() { ", and anew in every link (-C linker-plugin-lto)" } else { "" };
    stderr::say(&format!(
        "compiling the bench once more, to link it in random layouts: once for each build{slow}"
    ));
    let mut rustc = call.again(folder, &this_program_as(call.named_linker(), folder)?)?;
    linker::ask(&mut rustc, folder, call.linker());
    // Whatever rustc removes again lies where it can be kept.
    rustc.envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.join(TEMPORARY)))).env(RECORDED, &recorded);
    lifeline::tie(&mut rustc);
    let ended = rustc.output().map_err(|error| format!("cannot start {}: {error}", call.rustc.display()))?;
    remove_passing(folder);
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        let first = said.lines().find(|line| line.starts_with("error")).unwrap_or_default();
        let cause = text_of(&reason).unwrap_or_else(|| first.to_owned());
        return Err(format!("compiled once more, rustc ended with {}: {cause}", ended.status));
    }
    stderr::say(&format!("compiled in {:.1} s", start.elapsed().as_secs_f64()));
    Ok(())
}

/// Removes what nobody needs who does not compile.
fn remove_passing(folder: &Path) {
    for name in [OUT, TEMPORARY, INCREMENTAL] {
        let _ = fs::remove_dir_all(folder.join(name));
    }
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &to)?,
            false => fs::copy(entry.path(), &to).map(drop)?,
        }
    }
    Ok(())
}

/// The variable by which `main!()` gets the call that it recorded first.
const RECORDED: &str = "BENCH_DIFF_RECORDED_CALL";

/// This program, under a name by which rustc takes it for the same kind of linker as the recorded one.
fn this_program_as(linker: Option<&str>, folder: &Path) -> Result<PathBuf, String> {
    let name = linker.and_then(|linker| Path::new(linker).file_name()).unwrap_or(UNKNOWN_LINKER.as_ref());
    let path = folder.join(name);
    let _ = fs::remove_file(&path);
    let program =
        env::current_exe().map_err(|error| format!("nobody knows which program this is: {error}"))?;
    same_file(&program, &path).map_err(|error| cannot("write to", folder, error))?;
    Ok(path)
}

#[cfg(unix)]
fn same_file(program: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(program, path)
}

/// Links to files are not for every user elsewhere.
#[cfg(not(unix))]
fn same_file(program: &Path, path: &Path) -> io::Result<()> {
    fs::copy(program, path).map(drop)
}

/// A lock that processes share.
fn shared(path: &Path) -> Result<File, String> {
    let file = open(path)?;
    file.lock_shared().map_err(|error| cannot("lock", path, error))?;
    Ok(file)
}

fn open(path: &Path) -> Result<File, String> {
    let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
    file.map_err(|error| cannot("lock", path, error))
}

/// Waits until no other process makes the build.
fn lock(path: &Path) -> Result<File, String> {
    let not_locked = |error: io::Error| cannot("lock", path, error);
    let file = open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            stderr::say("waiting for another process, which compiles this bench once more");
            file.lock().map_err(not_locked)?;
        }
        Err(TryLockError::Error(error)) => return Err(not_locked(error)),
    }
    Ok(file)
}

/// Removes the builds of former programs, unless a process uses one.
fn remove_others(parent: &Path, own: &Path) {
    for entry in input::entries(parent) {
        let path = entry.path();
        let is_build = entry.file_name().to_str().is_some_and(|name| name.starts_with(BUILD));
        if is_build && path != own {
            remove_unless_used(&path);
        }
    }
}

fn remove_unless_used(build: &Path) {
    // Locked until it is gone.
    if let Ok(file) = File::open(build.join(IN_USE))
        && file.try_lock().is_ok()
    {
        // Another process may have been faster.
        let _ = fs::remove_dir_all(build);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_compilation_changes_is_remembered() {
        let folder = tempfile::tempdir().unwrap();
        remember("no space left on device", folder.path());
        assert_eq!(refuse_again(folder.path()), Ok(()));
        remember(ANOTHER_PROGRAM, folder.path());
        assert_eq!(refuse_again(folder.path()), Err(ANOTHER_PROGRAM.to_owned()));
    }

    #[test]
    fn objects_that_are_linked_are_not_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let _waits = shared(&folder.path().join(IN_USE)).unwrap();
        assert_eq!(refuse_while_linked(folder.path()), Ok(()));
        let _links = shared(&folder.path().join(LINKED)).unwrap();
        assert!(refuse_while_linked(folder.path()).unwrap_err().contains("another process uses them"));
    }

    #[test]
    fn former_builds_go_unless_a_process_uses_them() {
        let parent = tempfile::tempdir().unwrap();
        let build = |name: &str| {
            let folder = parent.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join(IN_USE), "").unwrap();
            folder
        };
        let (own, former, busy, other) =
            (build("build-1"), build("build-2"), build("build-3"), build("mine"));
        let _busy = shared(&busy.join(IN_USE)).unwrap();
        remove_others(parent.path(), &own);
        assert_eq!([own, former, busy, other].map(|folder| folder.exists()), [true, false, true, true]);
    }
}
