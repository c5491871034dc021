//! Proves before a run which pairs have identical machine code on both sides, once for each build.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use bench_diff_binary::{Binary, Build, Described, Unproven};
use bench_diff_core::Instruments;
use bench_diff_report::record::{Differs, Obstacle};
use bench_diff_system::executable::Executable;
use bench_diff_system::json;
use bench_diff_system::replace::replace;
use bench_diff_system::rustc_call::Trees;

use crate::call::allocations::COUNTERS;
use crate::plan::{Cause, PairPlan, Proof, Proofs, RunPlan};
use crate::run::{Children, Side};

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

/// The proofs of the pairs of a run for this build of the binary. They compare the two functions of a
/// pair, or each function with the one of the same name in an old binary if there is one.
pub(crate) fn proven(
    plan: &RunPlan,
    new: Walkable<'_>,
    old: Option<Old<'_>>,
    instruments: &Instruments<'_>,
) -> Proofs {
    let revision = plan.against.as_ref().map(|side| side.name.as_str());
    let file = old.map_or_else(|| format!("{FILE}.json"), |old| old.file(revision));
    let path = new.build.folder().join(file);
    stored_or_new(plan, &path, |pairs| proofs(plan, pairs, new, old, instruments))
}

/// The proofs of these pairs.
fn proofs(
    plan: &RunPlan,
    pairs: &[&PairPlan],
    new: Walkable<'_>,
    old: Option<Old<'_>>,
    instruments: &Instruments<'_>,
) -> Result<Vec<Proof>, String> {
    // In a comparison of revisions, each process calls a single function.
    let is_alone = old.is_some();
    let children = new.children(plan, instruments)?;
    let binary = Binary::read(new.build, is_alone, COUNTERS, || children.entries(pairs))?;
    let found = match old {
        None => binary.compare_pairs(),
        Some(Old { walkable, trees, .. }) => {
            let children = walkable.children(plan, instruments)?.of_another_program();
            let old_binary = Binary::read(walkable.build, is_alone, COUNTERS, || children.entries(pairs))?;
            binary.compare_with(&old_binary, trees)
        }
    };
    let revision = plan.against.as_ref().map(|side| side.name.as_str());
    Ok(pairs.iter().zip(found).map(|(pair, found)| proof(pair, found, revision)).collect())
}

/// The proofs of a run in which nothing can be proven, for this reason.
pub(crate) fn unproven(plan: &RunPlan, reason: &str) -> Proofs {
    let names = plan.provable().map(|pair| pair.listed.name.clone());
    names.map(|name| (name, Proof::unknown(reason.to_owned()))).collect()
}

/// The proofs in this file, or new ones. If nothing could be tried, for example because an
/// object cannot be read, the next run tries it again.
fn stored_or_new(
    plan: &RunPlan,
    path: &Path,
    prove: impl FnOnce(&[&PairPlan]) -> Result<Vec<Proof>, String>,
) -> Proofs {
    let mut proofs = read(path);
    let pairs: Vec<&PairPlan> = plan.provable().collect();
    if !pairs.iter().all(|pair| proofs.contains_key(&pair.listed.name)) {
        let found = prove(&pairs);
        let is_tried = found.is_ok();
        let found = found.unwrap_or_else(|reason| vec![Proof::unknown(reason); pairs.len()]);
        proofs.extend(pairs.iter().map(|pair| pair.listed.name.clone()).zip(found));
        if is_tried {
            // Other processes may read and write the file at the same time. If it cannot be written, another
            // run repeats the proofs.
            let _ = write(path, &proofs);
        }
    }
    proofs
}

/// The proof of a pair, given what the comparison of its machine code found.
fn proof(pair: &PairPlan, found: Result<(), Unproven>, revision: Option<&str>) -> Proof {
    let difference = match found {
        Ok(()) => return Proof::same(),
        Err(Unproven::Unknown(reason)) => return Proof::unknown(reason),
        Err(Unproven::Differ(difference)) => difference,
    };
    let name = &pair.listed.name;
    let names = [name, pair.listed.baseline.as_ref().unwrap_or(name)];
    let Described { function, bytes, why, call } = difference.described(names.map(String::as_str), revision);
    let cause = match call {
        Some(why) => Cause { obstacle: Obstacle::Call, why },
        None => Cause { obstacle: Obstacle::Function, why: function.clone() },
    };
    let [candidate_bytes, baseline_bytes] = bytes;
    Proof {
        is_same: false,
        differs: Some(Differs { function, baseline_bytes, candidate_bytes, why }),
        cause: Some(cause),
    }
}

/// Reads earlier proofs; nothing if the file cannot be read.
fn read(path: &Path) -> Proofs {
    json::read(path, LARGEST).unwrap_or_default()
}

fn write(path: &Path, proofs: &Proofs) -> std::io::Result<()> {
    replace(path, json::to_string(proofs).as_bytes()).map(drop)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::{entry, equal, planned};

    #[test]
    fn a_proof_that_could_not_be_tried_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let plan = planned("--bench --judge sequential", &[entry("sorted", 1, equal)]);
        let name = &plan.pairs[0].listed.name;
        let untried = stored_or_new(&plan, &path, |_| Err("no memory".to_owned()));
        assert_eq!(untried[name], Proof::unknown("no memory".to_owned()));
        assert!(!path.exists());
        let proven = stored_or_new(&plan, &path, |pairs| Ok(vec![Proof::same(); pairs.len()]));
        assert_eq!(proven[name], Proof::same());
        assert_eq!(stored_or_new(&plan, &path, |_| panic!("it is proven")), proven);
    }

    #[test]
    fn proofs_are_read_back_from_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        assert_eq!(read(&path), Proofs::new());
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
        assert_eq!(read(&path), Proofs::new());
    }
}
