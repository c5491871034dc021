//! Links this binary again, round by round.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

use bench_diff_core::Seed;
use bench_diff_system::executable::Executable;
use bench_diff_system::files::cannot;
use bench_diff_system::lifeline;
use bench_diff_system::temporary::TempFolder;

use super::build::Build;
use super::image::is_same;
use super::shifts::{LINE, Layout, PROGRAMS, Shifts};
use super::shuffle::Shuffle;

/// The flag for a trial start: the binary only shows that it gets to its pairs. It is the only argument, and
/// not for users.
pub const TRY_OUT: &str = "--bench-diff-try-out";

/// The first random number for layouts, far beyond the numbers of all rounds.
const OF_LAYOUTS: usize = 1 << 24;

/// The most rounds that are linked ahead. At least this many rounds are needed to decide a pair.
const MOST_AHEAD: usize = 5;

/// Links this binary again, in random layouts.
pub struct Relinker {
    build: Build,
    shuffle: Shuffle,
    folder: TempFolder,
    seed: Seed,
    /// The number of rounds linked so far.
    rounds: usize,
    /// The linked rounds that have not been requested yet.
    ready: VecDeque<Vec<Layout>>,
}

impl Relinker {
    /// The seeds for the new and the old side of a run, so that their layouts are independent.
    pub fn seeds_of_sides(seed: Seed) -> [Seed; 2] {
        [seed, seed.for_pair("the other side")]
    }

    /// Prepares to link a binary again, from the objects of its build.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be linked again.
    pub fn new(build: Build, executable: &Executable, seed: Seed) -> Result<Self, String> {
        let links = TempFolder::below(&build.folder, "links-")
            .map_err(|error| cannot("write to", &build.folder, error))?;
        let joined = Shuffle::joined(&build);
        let is_joined = joined.is_some();
        let shuffle = joined.map_or_else(|| Shuffle::whole(&build, links.path()), Ok)?;
        let mut relinker = Self { build, shuffle, folder: links, seed, rounds: 0, ready: VecDeque::new() };
        if let Err(reason) = relinker.try_out(executable) {
            if !is_joined {
                return Err(reason);
            }
            relinker.shuffle = Shuffle::whole(&relinker.build, relinker.folder.path())?;
            relinker.ready.clear();
            relinker.try_out(executable)?;
        }
        Ok(relinker)
    }

    /// Links the first rounds, since an unsuitable linker refuses at once, and checks that the two binaries
    /// differ and start.
    fn try_out(&mut self, executable: &Executable) -> Result<(), String> {
        self.link_rounds(PROGRAMS)?;
        let Some([Layout { program: one, .. }, .., Layout { program: other, .. }]) =
            self.ready.front().map(Vec::as_slice)
        else {
            return Err("there is no layout".to_owned());
        };
        // A linker may accept the options for an offset and ignore them.
        if is_same(one, other)? {
            Err("linking it at two offsets gave the same binary".to_owned())
        } else {
            starts(&executable.with_path(one.clone()))
        }
    }

    /// Returns whether some code has a wider alignment, and so fewer possible offsets.
    pub fn has_wide(&self) -> bool {
        self.shuffle.has_wide_code()
    }

    /// At least this many binaries of a round, at most [`PROGRAMS`], with an order of functions and data
    /// that no other round has.
    ///
    /// # Errors
    ///
    /// The linker's error.
    pub fn next_round(&mut self, programs: usize) -> Result<Vec<Layout>, String> {
        loop {
            match self.ready.pop_front() {
                Some(round) if round.len() >= programs => return Ok(round),
                Some(_) => {}
                None => self.link_rounds(programs)?,
            }
        }
    }

    /// Links enough rounds of this many binaries to keep all cores busy once, but not more than a verdict is
    /// likely to need.
    fn link_rounds(&mut self, programs: usize) -> Result<(), String> {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let mut rounds: Vec<Vec<Layout>> = Vec::new();
        for _ in 0..(cores / programs).clamp(1, MOST_AHEAD) {
            // The measurement uses smaller numbers.
            let seed = self.seed.for_round(OF_LAYOUTS + self.rounds);
            let layout = |shifts: Shifts| {
                let name = format!("layout-{}-{}", self.rounds, shifts.code % LINE);
                Layout { program: self.folder.path().join(name), shifts, seed }
            };
            rounds.push(Shifts::of_round(seed).into_iter().take(programs).map(layout).collect());
            self.rounds += 1;
        }
        let (shuffle, left) = (&self.shuffle, Mutex::new(rounds.iter().flatten()));
        let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
        // Where memory is short, the system may kill one linker of many.
        let link = |layout| shuffle.link(layout).or_else(|_| shuffle.link(layout));
        let link_all = || std::iter::from_fn(next).try_for_each(link);
        thread::scope(|scope| {
            // If no more threads can be started, those that run link everything.
            let start = |_| thread::Builder::new().spawn_scoped(scope, link_all).ok();
            let links: Vec<_> = (1..cores).map_while(start).collect();
            let ended = |_| Err("a thread of the linker panicked".to_owned());
            let here = link_all();
            links.into_iter().map(|link| link.join().unwrap_or_else(ended)).fold(here, Result::and)
        })?;
        self.build.link.require_unchanged()?;
        self.ready.extend(rounds);
        Ok(())
    }
}

/// Checks that a binary in a new layout gets to its pairs.
fn starts(executable: &Executable) -> Result<(), String> {
    match lifeline::output(executable.command().arg(TRY_OUT)) {
        Ok(ended) if ended.status.success() => Ok(()),
        Ok(ended) => {
            Err(format!("linked in another order, it ends before its first benchmark: {}", ended.status))
        }
        Err(error) => Err(format!("linked in another order, it cannot be started: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_has_its_own_layouts() {
        let mut together = 0;
        for seed in 0..2_400 {
            let of_first_round = |seed: Seed| seed.for_round(OF_LAYOUTS);
            let [new, old] = Relinker::seeds_of_sides(Seed(seed)).map(of_first_round);
            assert_ne!(new.0 as u32, old.0 as u32, "the orders of lld");
            let [new, old] = [new, old].map(|seed| Shifts::of_round(seed).map(|shifts| shifts.code % LINE));
            together += usize::from(new == old);
        }
        // 24 possible orders: the expected number is 100, and one standard deviation is 9.8.
        assert!((51..=149).contains(&together), "{together}");
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_does_not_start_is_reported() {
        let starts = |program: &str| starts(&Executable { path: program.into(), variables: None });
        assert_eq!(starts("true"), Ok(()));
        let error = starts("false").unwrap_err();
        assert!(error.ends_with("it ends before its first benchmark: exit status: 1"), "{error}");
        let error = starts("/absent/program").unwrap_err();
        assert!(error.contains("it cannot be started: No such file"), "{error}");
    }
}
