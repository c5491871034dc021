//! The program linked again, four times for each round: with its functions and data in another order, which
//! the four have at four places of the cache lines.
//!
//! Where a linker puts a function is worth up to a quarter of its speed, and where it puts a table a part of
//! that, the same in every process of the program, and neither has anything to do with the source. So the
//! program is compiled once more, its objects are kept, and for each round they are linked in a random order
//! (Mytkowicz, Diwan, Hauswirth & Sweeney 2009; Curtsinger & Berger 2013).

mod build;
mod call;
mod cut;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzz;
mod image;
mod link;
mod linker;
mod shifts;
mod shuffle;
mod tool;
mod trust;
mod wide;

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use bench_diff_core::Seed;

use self::build::Build;
use self::call::RustcCall;
pub(crate) use self::cut::symbol;
use self::image::is_same;
pub(crate) use self::linker::link;
pub(crate) use self::shifts::PROGRAMS;
use self::shifts::Shifts;
use self::shuffle::Shuffle;
use crate::machine::ResourceUsage;
use crate::system::lifeline;
use crate::system::temporary::TempFolder;

/// The flag that asks a program whether it comes to its pairs. It is the only argument, and not for users.
pub(crate) const TRY_OUT: &str = "--bench-diff-try-out";

/// The coins of layouts are behind those of all rounds.
const OF_LAYOUTS: usize = 1 << 24;

/// A program of a round.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) program: PathBuf,
    pub(crate) shifts: Shifts,
}

/// Links this program again, in random layouts.
pub(crate) struct Relinker {
    build: Build,
    shuffle: Shuffle,
    /// Why nothing better is put into another order.
    refusals: Vec<String>,
    folder: TempFolder,
    seed: Seed,
    /// How many rounds were linked so far.
    rounds: usize,
    /// The round that was linked to try this out, until it is asked for.
    ready: Option<Vec<Layout>>,
    /// What linking took of the machine.
    cost: ResourceUsage,
}

impl Relinker {
    /// Gets ready to link this program again, of which these are the file, the name for its content and what
    /// its compilation recorded, in a folder of this bench.
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
        let call = RustcCall::of(recorded).ok_or("nobody knows how it was compiled")?;
        let id = id.ok_or("it cannot read itself")?;
        let build = Build::of(program, id, &call, folder)?;
        let links = TempFolder::in_one_of(std::slice::from_ref(&build.folder), "links-")
            .map_err(|error| cannot("write to", &build.folder, error))?;
        let shuffles = Shuffle::all(&call.rustc, &build.link, program, links.path());
        let mut relinker = Self {
            build,
            shuffle: Shuffle::Objects { gap: false },
            refusals: Vec::new(),
            folder: links,
            seed,
            rounds: 0,
            ready: None,
            cost: ResourceUsage::default(),
        };
        for shuffle in shuffles {
            match shuffle.and_then(|shuffle| relinker.try_out(shuffle)) {
                Ok(()) => {
                    // What the first links cost is no disturbance of a measurement.
                    relinker.cost = ResourceUsage::default();
                    return Ok(relinker);
                }
                Err(refusal) => relinker.refusals.push(refusal),
            }
        }
        Err(relinker.refusals.join("; "))
    }

    /// Links for the first time: a linker that refuses does so at once, and so does a program that cannot be
    /// moved.
    fn try_out(&mut self, shuffle: Shuffle) -> Result<(), String> {
        self.shuffle = shuffle;
        let round = self.link_round()?;
        let [Layout { program: one, .. }, .., Layout { program: other, .. }] = &round[..] else {
            return Err("there is no layout".to_owned());
        };
        // A linker may take the option for a place and not follow it.
        match is_same(one, other) {
            Ok(false) => starts(one)?,
            Ok(true) => return Err("linked at two places, it is one program".to_owned()),
            Err(error) => return Err(cannot("read", one, error)),
        }
        self.ready = Some(round);
        Ok(())
    }

    /// Whether every function lies at each of four places once in a round.
    pub(crate) fn is_balanced(&self) -> bool {
        self.shuffle.is_balanced()
    }

    /// What of the place of a function is the same in every layout, where that is so.
    pub(crate) fn stays(&self) -> Option<&'static str> {
        self.shuffle.stays()
    }

    /// What a reader should know of these layouts.
    pub(crate) fn note(&self) -> Option<String> {
        let stays = self.stays().filter(|_| !self.refusals.is_empty())?;
        let why = self.refusals.join("; ");
        Some(format!(
            "{stays}, so a pair that would fail is inconclusive, because the place of its code may be the reason: {why}"
        ))
    }

    /// The program in which all functions of the same machine code are one; none where the linker knows no
    /// such option.
    ///
    /// # Errors
    ///
    /// What the linker says.
    pub(crate) fn folded(&self) -> Option<Result<PathBuf, String>> {
        let Shuffle::Sections { lld, .. } = &self.shuffle else { return None };
        let path = self.folder.path().join("folded");
        Some(lld.fold(&self.build.link, &path).map(|()| path))
    }

    /// The programs of a round, in an order of functions and data that no other round has.
    ///
    /// # Errors
    ///
    /// What the linker says.
    pub(crate) fn next_round(&mut self) -> Result<Vec<Layout>, String> {
        self.ready.take().map_or_else(|| self.link_round(), Ok)
    }

    /// What linking took of the machine so far, which is no part of what was measured.
    pub(crate) fn cost(&self) -> ResourceUsage {
        self.cost
    }

    fn link_round(&mut self) -> Result<Vec<Layout>, String> {
        let before = ResourceUsage::read();
        // Other coins than those of what is measured.
        let seed = self.seed.for_round(OF_LAYOUTS + self.rounds);
        let round: Vec<Layout> = Shifts::of_round(seed)
            .into_iter()
            .map(|shifts| {
                let name = format!("layout-{}-{}", self.rounds, shifts.code);
                Layout { program: self.folder.path().join(name), shifts }
            })
            .collect();
        self.rounds += 1;
        let linked: Result<Vec<()>, String> = thread::scope(|scope| {
            let link = |layout| self.shuffle.link(&self.build.link, layout, seed);
            let links: Vec<_> = round.iter().map(|layout| scope.spawn(move || link(layout))).collect();
            let ended = |_| Err("a thread of it ended".to_owned());
            links.into_iter().map(|link| link.join().unwrap_or_else(ended)).collect()
        });
        if let Some((now, before)) = ResourceUsage::read().zip(before) {
            self.cost = self.cost.and(now.since(before));
        }
        linked?;
        // What is linked now may be of other sources than what was before.
        if !self.build.link.is_as_checked() {
            return Err(
                "an object or a library of this program was built anew while it was measured".to_owned()
            );
        }
        Ok(round)
    }
}

/// What could not be done with a file or a folder, and why.
fn cannot(what: &str, path: &Path, error: impl Display) -> String {
    format!("cannot {what} {}: {error}", path.display())
}

/// Whether a program in another layout comes to its pairs.
fn starts(program: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    command.arg(TRY_OUT).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    lifeline::tie(&mut command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("linked in another order, it does not come to its pairs: {status}")),
        Err(error) => Err(format!("linked in another order, it cannot be started: {error}")),
    }
}

/// Removes a program whose round is over.
pub(crate) fn remove(program: &Path) {
    // What is left goes with the folder.
    let _ = fs::remove_file(program);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_program_that_does_not_start_is_told() {
        assert_eq!(starts(Path::new("true")), Ok(()));
        let error = starts(Path::new("false")).unwrap_err();
        assert!(error.ends_with("it does not come to its pairs: exit status: 1"), "{error}");
        let error = starts(Path::new("/absent/program")).unwrap_err();
        assert!(error.contains("it cannot be started: No such file"), "{error}");
    }
}
