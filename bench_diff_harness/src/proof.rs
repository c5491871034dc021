//! Proves before a run which pairs are the same machine code on both sides, once for each build.
//!
//! What a slot calls holds nothing but references to what both sides share: attributes name functions, and no
//! closures with values of their own. So equal code does equal work.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::slice;

use bench_diff_core::{Clocks, Instruments};

use crate::code::{self, Comparison, Linked, Program};
use crate::layout::Build;
use crate::plan::{Differs, PairPlan, Proof, RunPlan};
use crate::record::json;
use crate::run::{ANCHOR, Children};
use crate::system::input;
use crate::system::temporary::{TempFolder, new_word};

/// The file with what is proven, beside the objects that it was proven of.
const FILE: &str = "same.json";

/// How the name of what a slot calls ends.
const TIMED: &str = "clock::slot::Call>::call";

/// The largest one that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// What is known of a pair, as it is kept.
#[derive(miniserde::Deserialize, miniserde::Serialize)]
struct Kept {
    name: String,
    same: bool,
    differs: Option<Differs>,
    /// Why nothing is known.
    reason: Option<String>,
}

/// The run with what is proven of its pairs, of this build of the program.
pub(crate) fn proven(plan: RunPlan, build: &Build, instruments: &Instruments<'_, impl Clocks>) -> RunPlan {
    let path = build.folder.join(FILE);
    let mut proofs = read(&path);
    let pairs: Vec<&PairPlan> = plan.provable().collect();
    if !pairs.iter().all(|pair| proofs.contains_key(&pair.registered)) {
        proofs.extend(prove(&plan, &pairs, build, instruments));
        // Another run finds it out again where it cannot be written.
        let _ = write(&path, &proofs);
    }
    plan.with_proofs(&proofs)
}

/// Compares the functions of these pairs.
fn prove(
    plan: &RunPlan,
    pairs: &[&PairPlan],
    build: &Build,
    instruments: &Instruments<'_, impl Clocks>,
) -> HashMap<String, Proof> {
    let program = TempFolder::in_one_of(slice::from_ref(&build.folder), "links-")
        .map_err(|error| format!("cannot write to {}: {error}", build.folder.display()))
        .and_then(|folder| Linked::of(&build.link, folder.path()))
        .and_then(|linked| linked.program());
    let entries = match &program {
        Ok(_) => Children::new(plan, instruments).map(|children| children.entries(pairs)),
        Err(reason) => Err(reason.clone()),
    };
    let proof = |place: usize| match (&program, &entries) {
        (Err(reason), _) | (_, Err(reason)) => Proof::Unknown(reason.clone()),
        (Ok(program), Ok(entries)) => compared(program, pairs[place], entries[place]),
    };
    pairs.iter().enumerate().map(|(place, pair)| (pair.registered.clone(), proof(place))).collect()
}

fn compared(program: &Program, pair: &PairPlan, entries: Option<[i64; 2]>) -> Proof {
    let Some(entries) = entries else {
        return Proof::Unknown("its process does not tell where they are".to_owned());
    };
    let anchor = program.address_of(ANCHOR);
    let [candidate, baseline] = entries.map(|entry| program.at(anchor?.wrapping_add_signed(entry)));
    let Some((candidate, baseline)) = candidate.zip(baseline) else {
        return Proof::Unknown("they are not where the linker says that code is".to_owned());
    };
    match code::same(program, candidate, program, baseline) {
        Comparison::Same => Proof::Same,
        Comparison::Unknown(reason) => Proof::Unknown(reason),
        Comparison::Differ(mut difference) => {
            let names = [&pair.registered, pair.baseline.as_ref().unwrap_or(&pair.registered)];
            for (function, name) in difference.functions.iter_mut().zip(names) {
                // It has the function inlined.
                if function.name.ends_with(TIMED) {
                    function.name.clone_from(name);
                }
            }
            let [candidate, baseline] = &difference.functions;
            Proof::Differs(Differs {
                function: candidate.name.clone(),
                baseline_bytes: baseline.bytes,
                candidate_bytes: candidate.bytes,
                why: difference.to_string(),
            })
        }
    }
}

/// What was proven before; nothing where that cannot be read.
fn read(path: &Path) -> HashMap<String, Proof> {
    let bytes = input::read(path, LARGEST).unwrap_or_default();
    let kept: Vec<Kept> = json::from_str(&String::from_utf8_lossy(&bytes)).unwrap_or_default();
    let known = kept.into_iter().map(|Kept { name, same, differs, reason }| {
        let proof = match (differs, reason) {
            (Some(differs), _) => Proof::Differs(differs),
            (None, Some(reason)) => Proof::Unknown(reason),
            (None, None) if same => Proof::Same,
            (None, None) => Proof::None,
        };
        (name, proof)
    });
    known.collect()
}

/// Other processes may read it and write it.
fn write(path: &Path, proofs: &HashMap<String, Proof>) -> std::io::Result<()> {
    let kept = |(name, proof): (&String, &Proof)| {
        let (mut differs, mut reason) = (None, None);
        match proof {
            Proof::Differs(found) => differs = Some(found.clone()),
            Proof::Unknown(why) => reason = Some(why.clone()),
            Proof::None | Proof::Same => {}
        }
        Kept { name: name.clone(), same: *proof == Proof::Same, differs, reason }
    };
    let kept: Vec<Kept> = proofs.iter().map(kept).collect();
    let beside = path.with_file_name(format!("{FILE}-{}", new_word()));
    fs::write(&beside, json::to_string(&kept))?;
    fs::rename(beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_proven_comes_back_from_its_file() {
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
            ("same", Proof::Same),
            ("differs", Proof::Differs(differs)),
            ("unknown", Proof::Unknown("no map".to_owned())),
        ];
        let proofs = proofs.map(|(name, proof)| (name.to_owned(), proof)).into();
        write(&path, &proofs).unwrap();
        assert_eq!(read(&path), proofs);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::write(&path, "torn").unwrap();
        assert_eq!(read(&path), HashMap::new());
    }
}
