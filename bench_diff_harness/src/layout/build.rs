//! A build of the program: compiled once more, and checked against the running program.
//!
//! Its call is written last, once its objects have made the running program. So a call in a folder with the
//! name of a program is proof of the check, and nothing in it changes from then on.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::call::{INCREMENTAL, OUT, RustcCall};
use super::link::{Link, in_folder};
use super::linker::{self, CALL, OBJECTS};
use super::lld::Lld;
use super::objects::IS_ELF;
use super::{image, joined, map, tool, trust};
use crate::system::file_lock::{lock, open};
use crate::system::temporary::{is_made, private};
use crate::system::text::cannot;
use crate::system::tree::copy;
use crate::system::{input, stderr};

/// The prefix of the folders of builds, before the digits that identify the content of the program.
const BUILDS: &str = "build-";

/// The folder in a build for what is only needed to make it.
const PASSING: &str = "passing";

/// The folder of a program with one pair alone, and its name there.
const ALONE: &str = "alone";
const PROGRAM: &str = "program";

/// The file beside the builds that is locked while a process looks for its build or makes it.
const LOCK: &str = "build.lock";

/// The file in a build that is locked by every process that links its objects.
const IN_USE: &str = "in_use";

/// The file with the call that links the joined object.
const JOINED: &str = "joined.json";

/// The folder for the temporary files of rustc.
const TEMPORARY: &str = "tmp";

/// The linker's map of the program, and its rule with the files that it has read.
pub(crate) const REPORTS: [&str; 2] = ["map", "rule"];

/// The linker if none was recorded: its name decides how rustc calls it.
const UNKNOWN_LINKER: &str = if cfg!(windows) { "bench_diff_linker.exe" } else { "bench_diff_linker" };

/// The objects of the running program, from which it can be linked again.
pub(crate) struct Build {
    /// The call that links the objects as they were linked.
    pub(crate) link: Link,
    /// The call that links the joined object, if that makes the same program.
    pub(super) joined: Option<Link>,
    pub(crate) folder: PathBuf,
    /// The call that compiled it.
    pub(super) call: RustcCall,
    /// Locked while it is used.
    in_use: File,
    /// True if it stays for the next run.
    is_kept: bool,
}

/// The most bytes of objects that stay for the next run.
const MOST_KEPT: u64 = 200 << 20;

impl Build {
    /// Returns the build of this program below the folder `parent`; compiles it unless an earlier run did.
    /// `id` identifies the content of the program, and `recorded` is the rustc call that its compilation
    /// recorded.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be linked again.
    pub(crate) fn of(
        program: &Path,
        id: Option<&str>,
        recorded: &[&str],
        parent: &Path,
    ) -> Result<Self, String> {
        let call = RustcCall::of(recorded).ok_or("the call of rustc was not recorded")?;
        let id = id.ok_or("it cannot read itself")?;
        fs::create_dir_all(parent).map_err(|error| cannot("make", parent, error))?;
        let folder = parent.join(format!("{BUILDS}{id}"));
        let _locked = lock(&parent.join(LOCK), "compiles this bench once more")?;
        remove_others(parent, &folder);
        trust::require_own(&folder)?;
        let kept = Link::read(&folder.join(CALL)).ok().filter(Link::is_as_checked);
        let link = match kept {
            Some(link) => link,
            None => make(program, &call, &folder).inspect_err(|_| {
                remove_unless_used(&folder);
            })?,
        };
        let path = folder.join(IN_USE);
        let in_use = open(&path).and_then(|file| file.lock_shared().map(|()| file));
        let in_use = in_use.map_err(|error| cannot("lock", &path, error))?;
        let joined = Link::read(&folder.join(JOINED)).ok();
        let bytes = bytes_in(&folder.join(OBJECTS)) + bytes_in(&folder);
        let is_kept = bytes <= MOST_KEPT;
        if !is_kept {
            stderr::say(&format!(
                "its objects take {} MB, so they go when this run ends, and the next compiles again",
                bytes >> 20
            ));
        }
        Ok(Self { link, joined, folder, call, in_use, is_kept })
    }

    /// Compiles the program without the pairs of other attributes than the one of this line and digest, and
    /// returns its path; it goes with its build.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be compiled or linked.
    pub(super) fn alone(&self, attribute: &str) -> Result<(PathBuf, Self), String> {
        let folder = self.folder.with_file_name(ALONE);
        let _ = fs::remove_dir_all(&folder);
        let link = compile(&self.call, &folder, Some(attribute))?;
        let program = folder.join(PROGRAM);
        link.make(&program)?;
        let in_use = open(&folder.join(IN_USE)).map_err(|error| cannot("write to", &folder, error))?;
        Ok((program, Self { link, joined: None, folder, call: self.call.clone(), in_use, is_kept: false }))
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        let lock = self.folder.with_file_name(LOCK);
        if !self.is_kept
            // A process that holds it may be about to use the build.
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

/// Compiles the program once more, and checks that it is the same.
fn make(program: &Path, call: &RustcCall, folder: &Path) -> Result<Link, String> {
    if !remove_unless_used(folder) {
        return Err(format!(
            "{} is not as it was checked, and in use: remove it when no bench runs",
            folder.display()
        ));
    }
    stderr::say("compiling the bench once more, to link it in random layouts: once for each build");
    let link = compile(call, folder, None)?;
    check(&link, program, folder)?;
    let passing = folder.join(PASSING);
    let object = folder.join(joined::OBJECT);
    let join = |lld| joined::join(&lld, &link, program, &object, &passing.join("joining"));
    match IS_ELF.then(|| Lld::of(&call.rustc)).flatten().map(join) {
        Some(Ok(joined)) => joined.write(&folder.join(JOINED))?,
        Some(Err(reason)) => stderr::say(&format!("links take longer here: {reason}")),
        None => {}
    }
    let _ = fs::remove_dir_all(&passing);
    link.write(&folder.join(CALL))?;
    Ok(link)
}

/// Checks that this linker call makes the running program, byte for byte as far as it is loaded.
fn check(link: &Link, program: &Path, folder: &Path) -> Result<(), String> {
    let links = folder.join(PASSING).join("check");
    fs::create_dir(&links).map_err(|error| cannot("make", &links, error))?;
    // Some systems write the name of the file into the program.
    let again = links.join(program.file_name().unwrap_or_default());
    let [map, rule] = REPORTS.map(|report| folder.join(report));
    let mut arguments = link.arguments_to(&again)?;
    for option in map::options(&map, &rule) {
        arguments.extend(link.passed(&option));
    }
    // Some linkers do not know the options.
    link.run(&arguments, &again).or_else(|_| link.make(&again))?;
    let other = "compiled once more, it is another program: its sources may have changed";
    image::require_same(&again, program, other)
}

/// Compiles the program once more in this folder, with this program as the linker, and returns the call that
/// links it: with the pairs of this attribute alone, where there is one.
fn compile(call: &RustcCall, folder: &Path, alone: Option<&str>) -> Result<Link, String> {
    let start = Instant::now();
    let passing = folder.join(PASSING);
    let not_written = |error: io::Error| cannot("write to", folder, error);
    for name in [OUT, TEMPORARY, INCREMENTAL] {
        private().recursive(true).create(passing.join(name)).map_err(not_written)?;
    }
    for kept in call.incremental() {
        copy(&kept, &passing.join(INCREMENTAL).join(kept.file_name().unwrap_or_default()))
            .map_err(not_written)?;
    }
    let recorded = passing.join("rustc_call");
    fs::write(&recorded, call.recorded()).map_err(not_written)?;
    // By the name of its linker rustc knows of which kind it is.
    let named = call.value("linker").and_then(|linker| Path::new(linker).file_name());
    let stand_in = linker::stand_in(&passing, named.unwrap_or(UNKNOWN_LINKER.as_ref()))?;
    let mut rustc = call.again(&passing, &stand_in)?;
    linker::ask(&mut rustc, &passing, call.linker());
    // The temporary files of rustc lie where they can be kept.
    rustc.envs(in_folder(&passing.join(TEMPORARY))).env(RECORDED, &recorded);
    rustc.envs(alone.map(|attribute| (ONLY, attribute)));
    tool::run(rustc)?;
    stderr::say(&format!("compiled in {:.1} s", start.elapsed().as_secs_f64()));
    // The state of its files is noted before they are checked.
    Ok(Link::read(&passing.join(CALL))?.checked())
}

/// The variable that passes `main!()` the call that it recorded first.
const RECORDED: &str = "BENCH_DIFF_RECORDED_CALL";

/// The variable that has all attributes but one register nothing.
const ONLY: &str = "BENCH_DIFF_ALONE";

/// Removes the builds of former programs that no process uses.
fn remove_others(parent: &Path, own: &Path) {
    for entry in input::entries(parent) {
        let is_build = entry.file_name().to_str().is_some_and(|name| is_made(BUILDS, name))
            // The target of a link is not ours.
            && entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_build && entry.path() != own {
            remove_unless_used(&entry.path());
        }
    }
}

/// Removes a build unless it is used, and returns whether it is gone. Its call goes first, so that a kill
/// leaves no build that looks complete.
fn remove_unless_used(build: &Path) -> bool {
    // Every user of a build has locked this file, so without it there are none.
    let in_use = input::open(&build.join(IN_USE)).ok();
    if in_use.as_ref().is_some_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock))) {
        return false;
    }
    let _ = fs::remove_file(build.join(CALL));
    let _ = fs::remove_dir_all(build);
    !build.exists()
}

#[cfg(test)]
mod tests {
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
        let others = folder("build-mine");
        fs::remove_file(torn.join(IN_USE)).unwrap();
        let uses = open(&busy.join(IN_USE)).unwrap();
        uses.lock_shared().unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&others, parent.path().join("build-0000000000000005")).unwrap();
        remove_others(parent.path(), &own);
        let there = [&own, &former, &busy, &torn, &others.join(IN_USE)].map(|path| path.exists());
        assert_eq!(there, [true, false, true, false, true]);
        assert!(!remove_unless_used(&busy));
        uses.unlock().unwrap();
        assert!(remove_unless_used(&busy) && remove_unless_used(&busy), "once more");
    }
}
