//! Proves before a run which pairs have identical machine code on both sides, once for each build.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use bench_diff_binary::{Binary, Described, Unproven};
use bench_diff_core::Instruments;
use bench_diff_report::record::{Differs, Obstacle};
use bench_diff_system::json;
use bench_diff_system::replace::replace;
use bench_diff_system::rustc_call::Trees;

use super::linked::Linked;
use crate::call::allocations::COUNTERS;
use crate::plan::{Cause, ListedPair, PairKey, PairPlan, Proof, Proofs, RunPlan};
use crate::run::{Children, Side};

/// The beginning of the names of files with proofs. They are next to the objects.
const FILE: &str = "same";

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// The proofs of the pairs of a run for this build of its binary. They compare the two functions of a pair,
/// or each function with the one of the same name in the old binary, which comes second if there is one.
/// `trees` are those of both sides, if they are two.
pub(super) fn proven(
    plan: &RunPlan,
    linked: &[Linked],
    trees: Option<&Trees>,
    instruments: &Instruments<'_>,
) -> Proofs {
    let [new, old @ ..] = linked else { return Proofs::new() };
    if !new.build.has_proofs() {
        return unproven(plan, "machine code is compared in ELF binaries only");
    }
    let revision = plan.against.as_ref().map(|side| side.name.as_str());
    let file = old.first().map_or_else(
        || format!("{FILE}.json"),
        |old| {
            // Files below the trees may be read, and the name of the revision is in the words.
            let mut digest = DefaultHasher::new();
            (trees, revision).hash(&mut digest);
            let build = old.build.folder().file_name().unwrap_or_default().display();
            format!("{FILE}-{build}-{:016x}.json", digest.finish())
        },
    );
    stored_or_new(plan, &new.build.folder().join(file), |pairs| {
        let read = |binary: &Linked, key: fn(&ListedPair) -> PairKey| {
            let side = Side { program: binary.executable.clone(), relinker: None };
            let children = Children::new(plan, instruments, side, None)?;
            // In a comparison of revisions, each process calls a single function.
            let is_alone = !old.is_empty();
            Binary::read(&binary.build, is_alone, COUNTERS, || children.entries(pairs, key))
        };
        let binary = read(new, |pair| pair.key)?;
        let found = match old.first() {
            None => binary.compare_pairs(),
            Some(old) => binary.compare_with(&read(old, ListedPair::in_old)?, trees),
        };
        Ok(pairs.iter().zip(found).map(|(pair, found)| proof(pair, found, revision)).collect())
    })
}

/// The proofs of a run in which nothing can be proven, for this reason.
pub(super) fn unproven(plan: &RunPlan, reason: &str) -> Proofs {
    let names = plan.provable().map(|pair| pair.listed.name.clone());
    names.map(|name| (name, Proof::unknown(reason.to_owned()))).collect()
}

/// The proofs in this file, or new ones. If nothing could be tried, for example because an object cannot be
/// read, the next run tries it again.
fn stored_or_new(
    plan: &RunPlan,
    path: &Path,
    prove: impl FnOnce(&[&PairPlan]) -> Result<Vec<Proof>, String>,
) -> Proofs {
    let mut proofs: Proofs = json::read(path, LARGEST).unwrap_or_default();
    let pairs: Vec<&PairPlan> = plan.provable().collect();
    if !pairs.iter().all(|pair| proofs.contains_key(&pair.listed.name)) {
        let found = prove(&pairs);
        let is_tried = found.is_ok();
        let found = found.unwrap_or_else(|reason| vec![Proof::unknown(reason); pairs.len()]);
        proofs.extend(pairs.iter().map(|pair| pair.listed.name.clone()).zip(found));
        if is_tried {
            // Other processes may read and write the file at the same time. If it cannot be written, another
            // run repeats the proofs.
            let _ = replace(path, json::to_string(&proofs).as_bytes());
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::{entry, equal, planned};

    #[test]
    fn a_proof_is_found_once_for_each_build() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let plan =
            planned("--bench --judge sequential", &[entry("same", 1, equal), entry("differs", 2, equal)]);
        let untried = stored_or_new(&plan, &path, |_| Err("no memory".to_owned()));
        assert_eq!(untried["same"], Proof::unknown("no memory".to_owned()));
        assert!(!path.exists(), "the next run tries it again");
        let function = "f".to_owned();
        let differs = Differs { function, baseline_bytes: 1, candidate_bytes: 2, why: "code".to_owned() };
        let cause = Cause { obstacle: Obstacle::Function, why: "f".to_owned() };
        let differs = Proof { differs: Some(differs), cause: Some(cause), is_same: false };
        let found = || Ok(vec![Proof::same(), differs.clone()]);
        fs::write(&path, "torn").unwrap();
        let proven = stored_or_new(&plan, &path, |_| found());
        assert_eq!((&proven["same"], &proven["differs"]), (&Proof::same(), &differs));
        assert_eq!(stored_or_new(&plan, &path, |_| panic!("it is proven")), proven);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
