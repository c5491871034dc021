//! Proves before a run which pairs are the same machine code on both sides, once for each build.
//!
//! The call in a slot holds nothing but references to what both sides share: attributes name functions, and
//! no closures with values of their own. So equal code does equal work.

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use bench_diff_core::Instruments;

use crate::code::{self, Parting, Program, Root};
use crate::layout::Build;
use crate::plan::{Differs, PairPlan, Proof, RunPlan};
use crate::record::json;
use crate::run::{ANCHOR, Children, Entries};
use crate::system::input;
use crate::system::replace::replace;

/// The beginning of the names of files with proofs, beside the objects that these are of.
const FILE: &str = "same";

/// The end of the name of the function that a slot calls.
const TIMED: &str = "clock::slot::Call>::call";

/// The largest one that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// The proof of a pair, as its file holds it.
#[derive(miniserde::Deserialize, miniserde::Serialize)]
struct StoredProof {
    name: String,
    differs: Option<Differs>,
    by_others: bool,
    /// The reason if nothing is known.
    reason: Option<String>,
}

/// The run with what is proven of its pairs, of this build of the program.
pub(crate) fn proven(plan: RunPlan, build: &Build, instruments: &Instruments<'_>) -> RunPlan {
    let path = build.folder.join(format!("{FILE}.json"));
    kept(plan, &path, |plan, pairs| {
        let program = Walked::of(build, Children::new(plan, instruments), pairs)?;
        Ok(pairs.iter().enumerate().map(|(place, pair)| program.compared(place, pair)).collect())
    })
}

/// Compares functions with those of their names in another program, of which these are the file and a build.
pub(crate) fn proven_of_both(
    plan: RunPlan,
    build: &Build,
    (program, old): (&Path, &Build),
    instruments: &Instruments<'_>,
) -> RunPlan {
    let name = old.folder.file_name().unwrap_or_default().to_string_lossy();
    let path = build.folder.join(format!("{FILE}-{name}.json"));
    kept(plan, &path, |plan, pairs| {
        let now = Walked::of(build, Children::new(plan, instruments), pairs)?;
        let children = Children::new(plan, instruments);
        let old = Walked::of(old, children.map(|children| children.of_program(program.to_owned())), pairs)?;
        Ok(pairs.iter().enumerate().map(|(place, pair)| now.compared_with(&old, place, pair)).collect())
    })
}

/// The run with what is proven in this file, or is now.
fn kept(
    plan: RunPlan,
    path: &Path,
    prove: impl FnOnce(&RunPlan, &[&PairPlan]) -> Result<Vec<Proof>, String>,
) -> RunPlan {
    let mut proofs = read(path);
    let pairs: Vec<&PairPlan> = plan.provable().collect();
    if !pairs.iter().all(|pair| proofs.contains_key(&pair.listed.name)) {
        let found = prove(&plan, &pairs).unwrap_or_else(|reason| vec![Proof::Unknown(reason); pairs.len()]);
        proofs.extend(pairs.iter().map(|pair| pair.listed.name.clone()).zip(found));
        // Another run finds it out again where it cannot be written.
        let _ = write(path, &proofs);
    }
    plan.with_proofs(&proofs)
}

/// A program, and where the functions of its pairs are.
struct Walked {
    program: Program,
    entries: Vec<Option<Entries>>,
}

impl Walked {
    /// That of this build, whose processes tell where these are.
    fn of(
        build: &Build,
        children: Result<Children<'_>, String>,
        pairs: &[&PairPlan],
    ) -> Result<Self, String> {
        let (program, entries) = thread::scope(|scope| {
            let entries = scope.spawn(|| children.map(|children| children.entries(pairs)));
            // In this thread, whose heap grows faster than that of another.
            let program = Program::of(&build.link, &build.folder);
            (program, entries.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        Ok(Self { program: program?, entries: entries? })
    }

    /// The functions of the pair in this place, and what registered them and times them.
    fn roots(&self, place: usize) -> Result<([Root; 2], [Root; 2]), Proof> {
        let unknown = |reason: &str| Proof::Unknown(reason.to_owned());
        let (functions, roots) =
            self.entries[place].ok_or_else(|| unknown("its process does not tell where they are"))?;
        let anchor = self.program.address_of(ANCHOR);
        let both = |entries: [i64; 2]| {
            let [one, other] = entries.map(|entry| self.program.at(anchor?.wrapping_add_signed(entry)));
            one.zip(other).map(<[Root; 2]>::from)
        };
        let roots = both(functions).zip(both(roots));
        roots.ok_or_else(|| unknown("they are not where the linker says that code is"))
    }

    /// Compares the candidate of a pair with its baseline.
    fn compared(&self, place: usize, pair: &PairPlan) -> Proof {
        match self.roots(place) {
            Ok(([candidate, baseline], _)) => {
                compared(pair, (&self.program, candidate), (&self.program, baseline))
            }
            Err(unknown) => unknown,
        }
    }

    /// Compares the candidate of a pair with that of the pair of its name in an old program: the functions
    /// themselves, their inputs, and the code that times them.
    fn compared_with(&self, old: &Self, place: usize, pair: &PairPlan) -> Proof {
        match (self.roots(place), old.roots(place)) {
            (Ok(([now, _], beside)), Ok(([then, _], beside_then))) => {
                let all = [now].into_iter().chain(beside).zip([then].into_iter().chain(beside_then));
                let mut proofs =
                    all.map(|(now, then)| compared(pair, (&self.program, now), (&old.program, then)));
                proofs.find(|proof| *proof != Proof::Same).unwrap_or(Proof::Same)
            }
            (Err(unknown), _) | (_, Err(unknown)) => unknown,
        }
    }
}

fn compared(
    pair: &PairPlan,
    (left, candidate): (&Program, Root),
    (right, baseline): (&Program, Root),
) -> Proof {
    match code::same(left, candidate, right, baseline) {
        Ok(()) => Proof::Same,
        Err(Parting::Unknown(reason)) => Proof::Unknown(reason),
        Err(Parting::Differ(mut difference)) => {
            let names = [&pair.listed.name, pair.listed.baseline.as_ref().unwrap_or(&pair.listed.name)];
            for (function, name) in difference.functions.iter_mut().zip(names) {
                // It has the function inlined.
                if function.name.ends_with(TIMED) {
                    function.name.clone_from(name);
                }
            }
            let [candidate, baseline] = &difference.functions;
            let at = Differs {
                function: candidate.name.clone(),
                baseline_bytes: baseline.bytes,
                candidate_bytes: candidate.bytes,
                why: difference.to_string(),
            };
            Proof::Differs { at, by_others: difference.may_be_by_others() }
        }
    }
}

/// Reads earlier proofs; nothing if the file cannot be read.
fn read(path: &Path) -> HashMap<String, Proof> {
    let bytes = input::read(path, LARGEST).unwrap_or_default();
    let kept: Vec<StoredProof> = json::from_str(&String::from_utf8_lossy(&bytes)).unwrap_or_default();
    let known = kept.into_iter().map(|StoredProof { name, differs, by_others, reason }| {
        let proof = match (differs, reason) {
            (Some(at), _) => Proof::Differs { at, by_others },
            (None, Some(reason)) => Proof::Unknown(reason),
            (None, None) => Proof::Same,
        };
        (name, proof)
    });
    known.collect()
}

/// Other processes may read it and write it.
fn write(path: &Path, proofs: &HashMap<String, Proof>) -> std::io::Result<()> {
    let kept = |(name, proof): (&String, &Proof)| {
        let (mut differs, mut by_others, mut reason) = (None, false, None);
        match proof {
            Proof::Differs { at, by_others: by } => (differs, by_others) = (Some(at.clone()), *by),
            Proof::Unknown(why) => reason = Some(why.clone()),
            Proof::None | Proof::Same => {}
        }
        StoredProof { name: name.clone(), differs, by_others, reason }
    };
    let kept: Vec<StoredProof> = proofs.iter().map(kept).collect();
    replace(path, json::to_string(&kept).as_bytes()).map(drop)
}

#[cfg(test)]
mod tests {
    use std::fs;

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
            ("differs", Proof::Differs { at: differs, by_others: true }),
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
