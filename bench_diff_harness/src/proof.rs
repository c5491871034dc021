//! Proves before a run which pairs have identical machine code on both sides, once for each build.
//!
//! The call in a slot refers to code and data that both sides share, and to values made by the code that
//! registers it, which is compared as well. So equal code does equal work.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use bench_diff_binary::{Build, Called, Program, Root, Sides, THE_RUN, Trees, Unproven, is_of_harness, same};
use bench_diff_core::Instruments;

use crate::call::allocations::COUNTERS;
use crate::other_side;
use crate::plan::{Cause, Differs, Obstacle, PairPlan, Proof, RunPlan};
use crate::run::{Children, Entries, Side};
use bench_diff_system::executable::Executable;
use bench_diff_system::json;
use bench_diff_system::replace::replace;

/// The beginning of the names of files with proofs. They are next to the objects.
const FILE: &str = "same";

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// A binary whose code can be read.
#[derive(Clone, Copy)]
pub(crate) struct Walkable<'a> {
    pub(crate) executable: &'a Executable,
    pub(crate) build: &'a Build,
}

impl Walkable<'_> {
    /// The processes that report where its functions are.
    fn children<'p>(self, plan: &'p RunPlan, instruments: &Instruments<'_>) -> Result<Children<'p>, String> {
        let side = Side { program: self.executable.clone(), relinker: None };
        Children::new(plan, instruments, side, None)
    }
}

/// The binary of the old side.
#[derive(Clone, Copy)]
pub(crate) struct Old<'a> {
    pub(crate) walkable: Walkable<'a>,
    pub(crate) program: &'a bench_diff_revision::Program,
    /// The trees of both sides, if they are two.
    pub(crate) trees: Option<&'a Trees>,
}

impl Old<'_> {
    /// The name of the file with the proofs against it. It depends on the trees, since files below them may
    /// be read, and on the revision, since its name is in the words.
    fn file(self, revision: Option<&str>) -> String {
        let mut digest = DefaultHasher::new();
        (self.trees, revision).hash(&mut digest);
        let build = self.walkable.build.folder().file_name().unwrap_or_default().display();
        format!("{FILE}-{build}-{:016x}.json", digest.finish())
    }
}

/// The run with the proofs of its pairs for this build of the binary. They compare the two functions of a
/// pair, or each function with the one of the same name in an old binary if there is one.
pub(crate) fn proven(
    plan: RunPlan,
    new: Walkable<'_>,
    old: Option<Old<'_>>,
    instruments: &Instruments<'_>,
) -> RunPlan {
    let revision = plan.against.as_ref().map(|side| side.name.as_str());
    let file = old.map_or_else(|| format!("{FILE}.json"), |old| old.file(revision));
    let path = new.build.folder().join(file);
    with_stored(plan, &path, |plan, pairs| proofs(plan, pairs, new, old, instruments))
}

/// The proofs of these pairs.
fn proofs(
    plan: &RunPlan,
    pairs: &[&PairPlan],
    new: Walkable<'_>,
    old: Option<Old<'_>>,
    instruments: &Instruments<'_>,
) -> Result<Vec<Proof>, String> {
    let revision = plan.against.as_ref().map(|side| side.name.as_str());
    let walked_new = Walked::of(new.build, new.children(plan, instruments)?, pairs, old.is_some())?;
    let walked_old = match old {
        Some(Old { walkable, .. }) => {
            let children = walkable.children(plan, instruments)?.of_another_program();
            Some(Walked::of(walkable.build, children, pairs, true)?)
        }
        None => None,
    };
    // Pairs that differ only in their args have the same functions.
    let mut known: HashMap<[Option<Entries>; 2], Compared> = HashMap::new();
    let mut proofs = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let entries = [Some(&walked_new), walked_old.as_ref()].map(|side| side?.entries[index].clone());
        let found = known.entry(entries).or_insert_with(|| {
            let trees = old.and_then(|old| old.trees);
            walked_new.compared(walked_old.as_ref(), trees, index)
        });
        let mut proof = proof(pair, found.clone(), revision);
        if let (Err(Unproven::Differ(difference)), Some(old)) = (found, old) {
            proof.by_units = other_side::may_differ_by_units(old.program, &difference.compiled_in_two_ways());
        }
        proofs.push(proof);
    }
    Ok(proofs)
}

/// Marks every pair of a run as not proven, for this reason.
pub(crate) fn unproven(plan: RunPlan, reason: &str) -> RunPlan {
    let unknown = |pair: &PairPlan| (pair.listed.name.clone(), Proof::unknown(reason.to_owned()));
    let proofs = plan.provable().map(unknown).collect();
    plan.with_proofs(&proofs)
}

/// The run with the proofs in this file, or with new ones. If nothing could be tried, for example because an
/// object cannot be read, the next run tries it again.
fn with_stored(
    plan: RunPlan,
    path: &Path,
    prove: impl FnOnce(&RunPlan, &[&PairPlan]) -> Result<Vec<Proof>, String>,
) -> RunPlan {
    let mut proofs = read(path);
    let pairs: Vec<&PairPlan> = plan.provable().collect();
    if !pairs.iter().all(|pair| proofs.contains_key(&pair.listed.name)) {
        let found = prove(&plan, &pairs);
        let is_tried = found.is_ok();
        let found = found.unwrap_or_else(|reason| vec![Proof::unknown(reason); pairs.len()]);
        proofs.extend(pairs.iter().map(|pair| pair.listed.name.clone()).zip(found));
        if is_tried {
            // Other processes may read and write the file at the same time. If it cannot be written, another
            // run repeats the proofs.
            let _ = write(path, &proofs);
        }
    }
    plan.with_proofs(&proofs)
}

/// The finding of a walk from the functions of a pair.
type Compared = Result<(), Unproven>;

/// A binary, and the addresses of the functions of its pairs.
struct Walked {
    program: Program,
    /// The address that the processes count from.
    anchor: Option<u64>,
    entries: Vec<Option<Entries>>,
    /// The code of each benchmark that shares its registration with others.
    bodies: HashSet<usize>,
    /// The code that does not run in a process that calls one of these functions.
    idle: HashSet<usize>,
}

impl Walked {
    /// The binary of this build. Its processes report where the functions are; each process calls a single
    /// function if `alone`, or all of them.
    fn of(build: &Build, children: Children<'_>, pairs: &[&PairPlan], alone: bool) -> Result<Self, String> {
        let (program, entries) = thread::scope(|scope| {
            let entries = scope.spawn(|| children.entries(pairs));
            // In this thread, since its heap grows faster than that of other threads.
            let program = Program::of_build(build);
            (program, entries.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        let program = program?;
        let anchor = program.address_of(THE_RUN);
        let mut starts: Vec<Root> = program.named(THE_RUN).into_iter().collect();
        let mut walked = Self { program, anchor, entries, bodies: HashSet::new(), idle: HashSet::new() };
        for index in 0..pairs.len() {
            let Ok(roots) = walked.roots(index) else { continue };
            walked.bodies.extend(roots.body.map(|body| body.section));
            if alone {
                starts.push(roots.registers);
            }
        }
        walked.idle = walked.program.reached_only_from(starts);
        Ok(walked)
    }

    /// The functions of the pair with this index.
    fn roots(&self, index: usize) -> Result<Roots, Unproven> {
        let unknown = |why: &str| Unproven::Unknown(why.to_owned());
        let entries = self.entries[index].as_ref();
        let entries = entries.ok_or_else(|| unknown("its process does not tell where they are"))?;
        self.roots_at(entries).ok_or_else(|| unknown("they are not where the linker says that code is"))
    }

    fn roots_at(&self, entries: &Entries) -> Option<Roots> {
        Some(Roots {
            candidate: self.at(entries.candidate)?,
            baseline: self.at(entries.baseline)?,
            body: match entries.body {
                Some(body) => Some(self.at(body)?),
                None => None,
            },
            registers: self.at(entries.registers)?,
            times: self.at(entries.times)?,
        })
    }

    /// The function at this distance from the anchor.
    fn at(&self, entry: i64) -> Option<Root> {
        self.program.at(self.anchor?.wrapping_add_signed(entry))
    }

    /// Compares the candidate of a pair with its baseline. With an old binary, compares it with the
    /// candidate of the pair of the same name: the functions themselves, their inputs, and the code that
    /// times them.
    fn compared(&self, old: Option<&Self>, trees: Option<&Trees>, index: usize) -> Compared {
        let new = self.roots(index)?;
        let Some(other) = old else {
            let none = HashSet::new();
            return same(
                self.called(&[new.candidate], &none),
                self.called(&[new.baseline], &none),
                None,
                COUNTERS,
            );
        };
        let old = other.roots(index)?;
        let others = [self.others(&new), other.others(&old)];
        let [new, old] = [new.of_revision(), old.of_revision()];
        same(self.called(&new, &others[0]), other.called(&old, &others[1]), trees, COUNTERS)
    }

    fn called<'w>(&'w self, roots: &'w [Root], others: &'w HashSet<usize>) -> Called<'w> {
        Called { program: &self.program, roots, others, idle: &self.idle }
    }

    /// The code of all other benchmarks.
    fn others(&self, own: &Roots) -> HashSet<usize> {
        let own = own.body.map(|body| body.section);
        self.bodies.iter().copied().filter(|body| Some(*body) != own).collect()
    }
}

/// The functions of a pair, and the code that registers and times them.
struct Roots {
    candidate: Root,
    baseline: Root,
    body: Option<Root>,
    registers: Root,
    times: Root,
}

impl Roots {
    /// The starts of the walk that compares the candidate with that of another revision. The code that
    /// registers comes last, since the walk leaves out other benchmarks there and nowhere else: code that
    /// this benchmark shares with them is reached from the earlier starts.
    fn of_revision(&self) -> Vec<Root> {
        [self.candidate].into_iter().chain(self.body).chain([self.times, self.registers]).collect()
    }
}

/// The proof of a pair, given the finding of the walk from its functions, or from the functions of two
/// revisions.
fn proof(pair: &PairPlan, found: Compared, revision: Option<&str>) -> Proof {
    let mut difference = match found {
        Ok(()) => return Proof::same(),
        Err(Unproven::Unknown(reason)) => return Proof::unknown(reason),
        Err(Unproven::Differ(difference)) => difference,
    };
    let names = [&pair.listed.name, pair.listed.baseline.as_ref().unwrap_or(&pair.listed.name)];
    for (function, name) in difference.functions.iter_mut().zip(names) {
        // The function is inlined into the harness.
        if is_of_harness(&function.name) {
            function.name.clone_from(name);
            difference.why.in_timing_of(name);
        }
    }
    let sides = revision.map_or(Sides::Functions(names.map(String::as_str)), Sides::Revisions);
    let [candidate, baseline] = &difference.functions;
    let cause = match difference.why.call(sides) {
        Some(why) => Cause { obstacle: Obstacle::Call, why },
        None => Cause { obstacle: Obstacle::Function, why: candidate.name.clone() },
    };
    let at = Differs {
        function: candidate.name.clone(),
        baseline_bytes: baseline.bytes,
        candidate_bytes: candidate.bytes,
        why: difference.why.words(sides),
    };
    Proof { differs: Some(at), cause: Some(cause), ..Proof::default() }
}

/// Reads earlier proofs; nothing if the file cannot be read.
fn read(path: &Path) -> HashMap<String, Proof> {
    json::read(path, LARGEST).unwrap_or_default()
}

fn write(path: &Path, proofs: &HashMap<String, Proof>) -> std::io::Result<()> {
    replace(path, json::to_string(proofs).as_bytes()).map(drop)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::{entry, equal, planned};
    use bench_diff_binary::{Callee, Difference, Function, Why};

    #[test]
    fn a_proof_that_could_not_be_tried_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let plan = || planned("--bench --judge sequential", &[entry("sorted", 1, equal)]);
        let untried = with_stored(plan(), &path, |_, _| Err("no memory".to_owned()));
        assert_eq!(untried.pairs[0].proof, Proof::unknown("no memory".to_owned()));
        assert!(!path.exists());
        let proven = with_stored(plan(), &path, |_, pairs| Ok(vec![Proof::same(); pairs.len()]));
        assert_eq!(proven.pairs[0].proof, Proof::same());
        let again = with_stored(plan(), &path, |_, _| panic!("it is proven"));
        assert_eq!(again.pairs[0].proof, Proof::same());
    }

    #[test]
    fn a_difference_is_described_by_the_names_of_the_sides_and_not_of_the_harness() {
        let pair = &planned("--bench", &[entry("sorted", 1, equal).baseline("old::sorted")]).pairs[0];
        let words = |callee, revision| {
            let timed = "<bench_diff_core::clock::slot::Call as bench_diff_core::clock::Slot>::call";
            let functions = [7, 8].map(|bytes| Function { name: timed.to_owned(), bytes });
            let callers = ["bench_diff_harness::probe", "mine::twice"].map(str::to_owned).to_vec();
            let path = format!("mine::{callee}").replace('`', "");
            let why = Why::Calls { side: 0, callee, path, inlined: Vec::new(), callers };
            let difference = Box::new(Difference { functions, why });
            let proof = proof(pair, Err(Unproven::Differ(difference)), revision);
            let Differs { function, why, .. } = proof.differs.unwrap();
            assert_eq!((&*function, proof.is_same), ("sorted", false));
            [why, proof.cause.unwrap().why]
        };
        let step = || Callee::Function("step".to_owned());
        let others = "; `mine::twice` and another benchmark call it as well, which may be why";
        let call = "now calls `step`, which 3f2c9e1 inlined or left out";
        assert_eq!(words(step(), Some("3f2c9e1")), [format!("{call}{others}"), call.to_owned()]);
        let call = "`sorted` calls `step`, which `old::sorted` inlines or leaves out";
        assert_eq!(words(step(), None), [format!("{call}{others}"), call.to_owned()]);
        let call = "now calls the timed function, which 3f2c9e1 inlined or left out";
        assert_eq!(words(Callee::Function("sorted".to_owned()), Some("3f2c9e1"))[1], call);
        let call = "`sorted` calls the allocator, `old::sorted` does not";
        assert_eq!(words(Callee::Allocator, None)[1], call);
    }

    #[test]
    fn proofs_are_read_back_from_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        assert_eq!(read(&path), HashMap::new());
        let differs = Differs {
            function: "f".to_owned(),
            baseline_bytes: 1,
            candidate_bytes: 2,
            why: "code".to_owned(),
        };
        let proofs = [
            ("same", Proof::same()),
            (
                "differs",
                Proof {
                    differs: Some(differs),
                    by_units: true,
                    cause: Some(Cause { obstacle: Obstacle::Function, why: "f".to_owned() }),
                    is_same: false,
                },
            ),
            ("unknown", Proof::unknown("no map".to_owned())),
        ];
        let proofs = proofs.map(|(name, proof)| (name.to_owned(), proof)).into();
        write(&path, &proofs).unwrap();
        assert_eq!(read(&path), proofs);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::write(&path, "torn").unwrap();
        assert_eq!(read(&path), HashMap::new());
    }
}
