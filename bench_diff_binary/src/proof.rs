//! The functions of the benchmarks in a bench binary, and whether they do the same work as others.
//!
//! The call in a slot refers to code and data that both sides share, and to values made by the code that
//! registers it, which is compared as well. So equal code does equal work.

use std::collections::{HashMap, HashSet};
use std::panic::resume_unwind;
use std::thread;

use bench_diff_system::rustc_call::Trees;

use crate::code::{Called, Program, Root, Unproven, same};
use crate::layout::{Build, THE_RUN};
use crate::symbol;

/// The functions that only start a run.
const RUNS: [&str; 2] = [THE_RUN, symbol!("by_hand")];

/// Where the code of a pair is. Each number is the distance from the function of `symbol!("the_run")`, in
/// bytes, so it is the same in all processes of a binary.
#[derive(Clone, Debug, PartialEq, Eq, Hash, miniserde::Deserialize, miniserde::Serialize)]
pub struct Entries {
    /// The code that calls the candidate.
    pub candidate: i64,
    /// The code that calls the baseline.
    pub baseline: i64,
    /// The code that registers only these functions, if there is such code.
    pub body: Option<i64>,
    /// The code that registers them.
    pub registers: i64,
    /// The code that registers the functions of each attribute in the binary, those without a pair as well.
    /// Only the first pair of a process has it.
    pub attributes: Vec<i64>,
    /// The code that times slots.
    pub times: i64,
}

/// A bench binary whose code was read, and the functions of its pairs.
pub struct Binary {
    program: Program,
    /// The address from which entries are counted.
    anchor: Option<u64>,
    entries: Vec<Option<Entries>>,
    /// The code of each benchmark that shares its registration with others, and the code that starts a run,
    /// which a `main` that is written by hand leads to: nothing that is timed comes there.
    bodies: HashSet<usize>,
    /// The code and data that only start a run and, if each process calls a single function, those that
    /// belong to one benchmark alone. Of the latter, a process uses only its own, which the proof compares.
    idle: HashSet<usize>,
    counters: &'static str,
}

impl Binary {
    /// Reads the binary of this build. Meanwhile, `entries` asks its processes, in another thread, where the
    /// code of each pair is; it returns `None` for a pair of which no process can tell.
    ///
    /// Each process calls a single function if `alone`, or all of them. The names of the variables that count
    /// allocations, which nothing does in timed code, begin with `counters`.
    ///
    /// # Errors
    ///
    /// The reason why its code cannot be examined.
    pub fn read(
        build: &Build,
        alone: bool,
        counters: &'static str,
        entries: impl FnOnce() -> Vec<Option<Entries>> + Send,
    ) -> Result<Self, String> {
        let (program, entries) = thread::scope(|scope| {
            let entries = scope.spawn(entries);
            // In this thread, since its heap grows faster than that of other threads.
            let program = Program::of(&build.link, &build.folder);
            (program, entries.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        let program = program?;
        build.link.require_unchanged()?;
        let anchor = program.address_of(THE_RUN);
        let mut starts: Vec<Root> = RUNS.iter().filter_map(|run| program.named(run)).collect();
        let (bodies, idle) = (starts.iter().map(|run| run.section).collect(), HashSet::new());
        let mut binary = Self { program, anchor, entries, bodies, idle, counters };
        for entries in binary.entries.iter().flatten() {
            let body = entries.body.and_then(|body| binary.at(body));
            binary.bodies.extend(body.iter().map(|body| body.section));
            // Such a process visits the attribute of its function, calls its body, and none of the others.
            if alone {
                starts.extend(body);
                starts.extend(entries.attributes.iter().filter_map(|attribute| binary.at(*attribute)));
            }
        }
        binary.idle = binary.program.reached_only_from(starts);
        Ok(binary)
    }

    /// Compares the candidate of each pair with its baseline.
    pub fn compare_pairs(&self) -> Vec<Result<(), Unproven>> {
        self.compare_each(None, |index| {
            let ((baseline, starts), none) = (self.roots(index)?, HashSet::new());
            same(self.called(&starts[..1], &none), self.called(&[baseline], &none), None)
        })
    }

    /// Compares the candidate of each pair with that of the same pair in an old binary: the functions
    /// themselves, their inputs, and the code that times them. `trees` are those in which both binaries were
    /// compiled, this one's first, if they are two.
    pub fn compare_with(&self, old: &Self, trees: Option<&Trees>) -> Vec<Result<(), Unproven>> {
        self.compare_each(Some(old), |index| {
            let ((_, new_starts), (_, old_starts)) = (self.roots(index)?, old.roots(index)?);
            let (new_others, old_others) = (self.others(&new_starts), old.others(&old_starts));
            same(self.called(&new_starts, &new_others), old.called(&old_starts, &old_others), trees)
        })
    }

    fn compare_each(
        &self,
        old: Option<&Self>,
        compare: impl Fn(usize) -> Result<(), Unproven>,
    ) -> Vec<Result<(), Unproven>> {
        // Pairs that differ only in their args have the same functions.
        let mut known: HashMap<[Option<&Entries>; 2], Result<(), Unproven>> = HashMap::new();
        let mut found = Vec::with_capacity(self.entries.len());
        for index in 0..self.entries.len() {
            let entries = [Some(self), old].map(|side| side?.entries[index].as_ref());
            found.push(known.entry(entries).or_insert_with(|| compare(index)).clone());
        }
        found
    }

    fn called<'b>(&'b self, roots: &'b [Root], others: &'b HashSet<usize>) -> Called<'b> {
        Called { program: &self.program, roots, others, idle: &self.idle, counters: self.counters }
    }

    /// The code of all benchmarks but the one with these starts, and the code that starts a run.
    fn others(&self, own: &[Root]) -> HashSet<usize> {
        let is_own = |body: &&usize| own.iter().any(|root| root.section == **body);
        self.bodies.iter().filter(|body| !is_own(body)).copied().collect()
    }

    /// The baseline of the pair with this index, and the starts of the walk that compares the candidate, the
    /// first of them, with that of another revision. The code that registers comes last, since the walk
    /// leaves out other benchmarks there and nowhere else: code that this benchmark shares with them is
    /// reached from the earlier starts.
    fn roots(&self, index: usize) -> Result<(Root, Vec<Root>), Unproven> {
        let unknown = |why: &str| Unproven::Unknown(why.to_owned());
        let Some(entries) = &self.entries[index] else {
            return Err(unknown("its process does not tell where they are"));
        };
        let Entries { candidate, baseline, body, registers, times, .. } = *entries;
        let starts = [candidate].into_iter().chain(body).chain([times, registers]);
        let starts = starts.map(|entry| self.at(entry)).collect::<Option<_>>();
        let roots = self.at(baseline).zip(starts);
        roots.ok_or_else(|| unknown("they are not where the linker says that code is"))
    }

    /// The function at this distance from the anchor.
    fn at(&self, entry: i64) -> Option<Root> {
        self.program.at(self.anchor?.wrapping_add_signed(entry))
    }
}
