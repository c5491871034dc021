//! The program linked again, each time with its functions in another order.
//!
//! Where a linker puts a function is worth up to a quarter of its speed, the same in every process of the program, and it has
//! nothing to do with the source. So the program is compiled once more, its objects are kept, and for each round they are
//! linked in a random order (Mytkowicz, Diwan, Hauswirth & Sweeney 2009; Curtsinger & Berger 2013).

mod build;
mod call;
mod image;
mod link;
mod linker;

use std::collections::VecDeque;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use bench_diff_core::Seed;

use self::build::Build;
use self::call::RustcCall;
use self::link::{Order, SCRIPT, lld_of};
pub(crate) use self::linker::link;
use crate::lifeline;
use crate::machine::Processes;
use crate::system::temporary::FreshFolder;

/// Where it has not been tried.
const UNTRIED: &str = "on this system programs are not linked again";

/// The coins of layouts are behind those of all rounds.
const OF_LAYOUTS: usize = 1 << 24;

/// So many programs are linked at once, at the most.
const BATCH: usize = 4;

/// Links this program again, in random layouts.
pub(crate) struct Relinker {
    build: Build,
    lld: PathBuf,
    script: PathBuf,
    folder: FreshFolder,
    seed: Seed,
    /// How many were linked so far.
    linked: usize,
    ready: VecDeque<PathBuf>,
    /// What linking has had of the machine.
    had: Processes,
}

impl Relinker {
    /// Gets ready to link this program again, of which these are the file, the name for its content and what its compilation
    /// recorded, in a folder of this bench.
    ///
    /// # Errors
    ///
    /// Why it cannot be linked again.
    pub(crate) fn new(
        program: &Path,
        id: Option<&str>,
        recorded: &[&str],
        folder: &Path,
        seed: Seed,
    ) -> Result<Self, String> {
        if !cfg!(target_os = "linux") {
            return Err(UNTRIED.to_owned());
        }
        let call = RustcCall::of(recorded).ok_or("nobody knows how it was compiled")?;
        let id = id.ok_or("it cannot read itself")?;
        let lld = lld_of(&call.rustc).ok_or("this rustc comes without a linker of its own (rust-lld)")?;
        let build = Build::of(program, id, &call, folder)?;
        let script = build.folder.join("script");
        fs::write(&script, SCRIPT).map_err(|error| cannot("write", &script, error))?;
        let links = FreshFolder::in_one_of(std::slice::from_ref(&build.folder), "links-")
            .map_err(|error| cannot("write to", &build.folder, error))?;
        let mut relinker = Self {
            build,
            lld,
            script,
            folder: links,
            seed,
            linked: 0,
            ready: VecDeque::new(),
            had: Processes::default(),
        };
        // A linker that refuses does so at once, and so does a program that cannot be moved.
        relinker.link_more()?;
        relinker.ready.front().map_or(Ok(()), |program| starts(program))?;
        Ok(relinker)
    }

    /// The program in which all functions of the same machine code are one.
    ///
    /// # Errors
    ///
    /// What the linker says.
    pub(crate) fn folded(&self) -> Result<PathBuf, String> {
        let path = self.folder.path().join("folded");
        self.build.link.make(&path, Order::Folded { lld: &self.lld })?;
        Ok(path)
    }

    /// The program in a layout that no round has had.
    ///
    /// # Errors
    ///
    /// What the linker says.
    pub(crate) fn next(&mut self) -> Result<PathBuf, String> {
        if self.ready.is_empty() {
            self.link_more()?;
        }
        self.ready.pop_front().ok_or_else(|| "there is no layout".to_owned())
    }

    /// What linking has had of the machine so far, which is no part of what was measured.
    pub(crate) fn had(&self) -> Processes {
        self.had
    }

    fn link_more(&mut self) -> Result<(), String> {
        let before = Processes::read();
        let first = self.linked;
        let paths: Vec<PathBuf> = (first..first + BATCH)
            .map(|number| self.folder.path().join(format!("layout-{number}")))
            .collect();
        let link = |(number, path): (usize, &PathBuf)| {
            // Another coin than those of the rounds.
            let seed = self.seed.for_round(OF_LAYOUTS + number).0 as u32;
            self.build.link.make(path, Order::Random { seed, script: &self.script, lld: &self.lld })
        };
        thread::scope(|scope| {
            let link = &link;
            let links: Vec<_> = (first..).zip(&paths).map(|job| scope.spawn(move || link(job))).collect();
            links
                .into_iter()
                .try_for_each(|link| link.join().unwrap_or_else(|_| Err("a thread of it ended".to_owned())))
        })?;
        if let Some((now, before)) = Processes::read().zip(before) {
            self.had = self.had.and(now.since(before));
        }
        self.linked += BATCH;
        self.ready.extend(paths);
        Ok(())
    }
}

/// What could not be done with a file or a folder, and why.
fn cannot(what: &str, path: &Path, error: impl Display) -> String {
    format!("cannot {what} {}: {error}", path.display())
}

/// Whether a program in another layout comes to its pairs.
fn starts(program: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    command.arg("--list").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    lifeline::tie(&mut command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("linked in another order, it does not even list its pairs: {status}")),
        Err(error) => Err(format!("linked in another order, it cannot be started: {error}")),
    }
}

/// Removes a program whose round is over.
pub(crate) fn remove(program: &Path) {
    // What is left goes with the folder.
    let _ = fs::remove_file(program);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_start_is_told() {
        assert_eq!(starts(Path::new("true")), Ok(()));
        let error = starts(Path::new("false")).unwrap_err();
        assert!(error.ends_with("it does not even list its pairs: exit status: 1"), "{error}");
        let error = starts(Path::new("/absent/program")).unwrap_err();
        assert!(error.contains("it cannot be started: No such file"), "{error}");
    }
}
