//! The bench binaries of a run that can be linked again: the proofs about their functions, and their layouts.

use std::env::{self, consts::OS};
use std::path::Path;

use bench_diff_binary::{Build, BuildRequest, Format, Relinker};
use bench_diff_core::{Instruments, Seed};
use bench_diff_system::executable::Executable;
use bench_diff_system::stderr;

use super::proof::{proven, unproven};
use crate::other_side::MeasuredSide;
use crate::plan::{Relinking, RunPlan};
use crate::settings::{Target, paths};

/// A bench binary that can be linked again.
pub(super) struct Linked {
    pub(super) executable: Executable,
    pub(super) build: Build,
}

impl Linked {
    /// This binary, and that of the old side, if there is one.
    ///
    /// # Errors
    ///
    /// If one of them cannot be linked again; the text says which.
    pub(super) fn of_run(
        plan: &RunPlan,
        side: Option<&MeasuredSide>,
        target: &Target,
    ) -> Result<Vec<Self>, String> {
        let folder = paths::bench_folder(&plan.config, target)?;
        let mut linked = vec![Self::new(THIS, plan, Executable::this()?, target.rustc_call, &folder)?];
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
    pub(super) fn of_side(name: &str, plan: &RunPlan, side: &MeasuredSide) -> Result<Self, String> {
        let call: Vec<&str> = side.program.call.iter().map(String::as_str).collect();
        Self::new(name, plan, side.program.executable.clone(), &call, &side.folder)
    }

    fn new(
        name: &str,
        plan: &RunPlan,
        executable: Executable,
        recorded: &[&str],
        parent: &Path,
    ) -> Result<Self, String> {
        let build = Build::of(BuildRequest {
            name,
            format: Format::of(OS, plan.config.layouts_on_macos)?,
            program: &executable.path,
            recorded,
            parent,
            path: &env::var_os("PATH").unwrap_or_default(),
            say: &stderr::say,
        })?;
        Ok(Self { executable, build })
    }
}

/// The bench of the working tree, and that of the old side, as people read it.
pub(super) const THIS: &str = "the bench";
pub(super) const OLD: &str = "the old bench";

/// The plan of a run that knows its binaries, and the linkers of random layouts, that of the new binary
/// first. There are none if no pair needs them, or if a binary cannot be linked again. With variables that
/// differ at run time, equal code may do different work, so nothing is proven.
pub(super) fn prepared(
    mut plan: RunPlan,
    old: Option<&MeasuredSide>,
    linked: impl FnOnce(&RunPlan) -> Result<Vec<Linked>, String>,
    instruments: &Instruments<'_>,
) -> (RunPlan, Vec<Relinker>) {
    let mut proves = !plan.config.no_proof;
    if let Some(reason) = old.and_then(|old| old.program.other_variables.as_deref())
        && proves
    {
        plan.prove(&unproven(&plan, reason));
        proves = false;
    }
    if !plan.wants_layouts() {
        return (plan, Vec::new());
    }
    let linked = linked(&plan);
    if let Ok(linked) = &linked
        && proves
    {
        plan.prove(&proven(&plan, linked, old.and_then(|old| old.trees.as_ref()), instruments));
    }
    if !plan.wants_layouts() {
        return (plan, Vec::new());
    }
    let (relinking, relinkers) = match linked.and_then(|linked| relinkers(linked, plan.seed)) {
        Ok(relinkers) => {
            let has_wide = relinkers.iter().any(Relinker::has_wide);
            (Relinking::Possible { has_wide }, relinkers)
        }
        Err(why) => {
            stderr::note(cannot_link(&plan, &why));
            (Relinking::Impossible(why), Vec::new())
        }
    };
    (plan.relinked(relinking), relinkers)
}

/// The note on binaries that cannot be linked again for this reason.
fn cannot_link(plan: &RunPlan, why: &str) -> String {
    let outcome = if plan.config.surroundings.ci { "an error" } else { "inconclusive" };
    let effect =
        format!(", and a slowdown is reported as {outcome}, since code placement could be the cause");
    let effect = if plan.has_gate() { effect } else { String::new() };
    format!("the bench binary cannot be linked again, so every round runs it as it is{effect}: {why}")
}

fn relinkers(linked: Vec<Linked>, seed: Seed) -> Result<Vec<Relinker>, String> {
    let with_seeds = linked.into_iter().zip(Relinker::seeds_of_sides(seed));
    with_seeds.map(|(Linked { build, executable }, seed)| Relinker::new(build, &executable, seed)).collect()
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
