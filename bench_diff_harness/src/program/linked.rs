//! The bench binaries of a run that can be linked again: the proofs about their functions, and their layouts.

use std::env::{self, consts::OS};
use std::path::Path;

use bench_diff_binary::{Build, BuildRequest, Format, Relinker};
use bench_diff_core::{Instruments, Seed};
use bench_diff_system::executable::{self, Executable};
use bench_diff_system::stderr;

use crate::other_side::MeasuredSide;
use crate::plan::{Known, Proofs, Relinking, RunPlan};
use crate::proof::{Old, Walkable, proven, unproven};
use crate::settings::{Config, Target, paths};

/// A bench binary that can be linked again.
pub(super) struct Linked<'s> {
    executable: Executable,
    build: Build,
    /// The old side that it belongs to; `None` for the binary of this process.
    side: Option<&'s MeasuredSide>,
}

impl<'s> Linked<'s> {
    /// This binary, and that of the old side, if there is one.
    ///
    /// # Errors
    ///
    /// If one of them cannot be linked again; the text says which.
    pub(super) fn of_run(
        plan: &RunPlan,
        side: Option<&'s MeasuredSide>,
        config: &Config,
        target: &Target,
    ) -> Result<Vec<Self>, String> {
        let format = Format::of(OS, plan.config.layouts_on_macos)?;
        let (executable, id) = (Executable::this()?, plan.program.as_deref());
        let folder = paths::bench_folder(config, target)?;
        let build = build(THIS, format, &executable.path, id, target.rustc_call, &folder)?;
        let mut linked = vec![Self { executable, build, side: None }];
        if let Some(side) = side {
            linked.push(Self::of_side(OLD, plan, side).map_err(|why| format!("the old binary: {why}"))?);
        }
        Ok(linked)
    }

    /// The binary of a side, which people call so.
    ///
    /// # Errors
    ///
    /// If it cannot be linked again.
    pub(super) fn of_side(name: &str, plan: &RunPlan, side: &'s MeasuredSide) -> Result<Self, String> {
        let format = Format::of(OS, plan.config.layouts_on_macos)?;
        let call: Vec<&str> = side.program.call.iter().map(String::as_str).collect();
        let executable = side.program.executable.clone();
        let id = executable::id_of(&executable.path);
        let build = build(name, format, &executable.path, id.as_deref(), &call, &side.folder)?;
        Ok(Self { executable, build, side: Some(side) })
    }

    fn walkable(&self) -> Walkable<'_> {
        Walkable { executable: &self.executable, build: &self.build }
    }
}

/// The bench of the working tree, and that of the old side, as people read it.
pub(super) const THIS: &str = "the bench";
pub(super) const OLD: &str = "the old bench";

/// The build of a binary, in this folder.
fn build(
    name: &str,
    format: Format,
    program: &Path,
    id: Option<&str>,
    recorded: &[&str],
    parent: &Path,
) -> Result<Build, String> {
    let path = env::var_os("PATH").unwrap_or_default();
    Build::of(BuildRequest { name, format, program, id, recorded, parent, path: &path, say: &stderr::say })
}

/// What is known of the binaries of a run before its first round, and the linkers of random layouts, that of
/// the new binary first. There are none if no pair needs them, or if a binary cannot be linked again. With
/// variables that differ at run time, equal code may do different work, so nothing is proven.
pub(super) fn known<'s>(
    plan: &RunPlan,
    old: Option<&MeasuredSide>,
    linked: impl FnOnce() -> Result<Vec<Linked<'s>>, String>,
    instruments: &Instruments<'_>,
) -> (Known, Vec<Relinker>) {
    let mut known = Known::default();
    let mut proves = !plan.config.no_proof;
    if let Some(reason) = old.and_then(|old| old.program.other_variables.as_deref())
        && proves
    {
        known.proofs = unproven(plan, reason);
        proves = false;
    }
    if !plan.wants_layouts(&known.proofs) {
        return (known, Vec::new());
    }
    let linked = linked();
    if let Ok([new, others @ ..]) = linked.as_deref()
        && proves
    {
        known.proofs = proofs(plan, new, others.first(), instruments);
    }
    if !plan.wants_layouts(&known.proofs) {
        return (known, Vec::new());
    }
    match linked.and_then(|linked| relinkers(linked, plan.seed)) {
        Ok(relinkers) => {
            let has_wide = relinkers.iter().any(Relinker::has_wide);
            (Known { relinking: Relinking::Possible { has_wide }, ..known }, relinkers)
        }
        Err(why) => {
            stderr::note(cannot_link(plan, &why));
            (Known { relinking: Relinking::Impossible(why), ..known }, Vec::new())
        }
    }
}

/// The note on binaries that cannot be linked again for this reason.
fn cannot_link(plan: &RunPlan, why: &str) -> String {
    let effect = match plan.config.surroundings.ci {
        _ if !plan.has_gate() => "",
        true => ", and a slowdown is reported as an error, since code placement could be the cause",
        false => ", and a slowdown is reported as inconclusive, since code placement could be the cause",
    };
    format!("the bench binary cannot be linked again, so every round runs it as it is{effect}: {why}")
}

fn proofs(
    plan: &RunPlan,
    new: &Linked<'_>,
    old: Option<&Linked<'_>>,
    instruments: &Instruments<'_>,
) -> Proofs {
    if !new.build.has_proofs() {
        return unproven(plan, "machine code is compared in ELF binaries only");
    }
    let old = old.and_then(|old| {
        let side = old.side?;
        Some(Old { walkable: old.walkable(), trees: side.trees.as_ref() })
    });
    proven(plan, new.walkable(), old, instruments)
}

fn relinkers(linked: Vec<Linked<'_>>, seed: Seed) -> Result<Vec<Relinker>, String> {
    let with_seeds = linked.into_iter().zip(Relinker::seeds_of_sides(seed));
    with_seeds.map(|(Linked { build, .. }, seed)| Relinker::new(build, seed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, planned};

    #[test]
    fn without_a_limit_no_slowdown_is_reported() {
        let note = |line| cannot_link(&planned(line, &[entry("a", 1, equal)]), "no map");
        assert!(note("").contains(", and a slowdown is reported as inconclusive, "), "{}", note(""));
        let start = "the bench binary cannot be linked again, so every round runs it as it is";
        assert_eq!(note("--report-only"), format!("{start}: no map"));
    }
}
