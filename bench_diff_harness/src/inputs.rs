//! Finds, before a run, the functions that get other inputs than on the old side. A slowdown then comes
//! from another benchmark, not from slower code.
//!
//! Separate processes make and show the inputs, so the heaps of the measuring processes are not disturbed.
//! Each side needs two of them: inputs that differ between the two are random and say nothing.

use std::collections::HashMap;

use bench_diff_core::Instruments;

use crate::against::Program;
use crate::call::probe::Maker;
use crate::layout::RustcCall;
use crate::plan::{PairPlan, RunPlan};
use crate::run::{Children, Inputs, Side};
use crate::settings::Target;
use crate::system::executable::Executable;

/// Marks the pairs that have other inputs than in this old binary. If the files of the bench are those of the
/// working tree, only libraries can make other inputs, and these are what the run compares.
pub(crate) fn compared(
    plan: RunPlan,
    old: &Program,
    target: &Target,
    instruments: &Instruments<'_>,
) -> RunPlan {
    let pairs: Vec<&PairPlan> = plan.pairs.iter().filter(|pair| pair.may_have_other_inputs()).collect();
    let has_other_files =
        || RustcCall::of(target.rustc_call).is_none_or(|today| old.may_have_other_files(&today));
    if pairs.is_empty() || !has_other_files() {
        return plan;
    }
    let now = Executable::this().ok().and_then(|now| shown(&plan, &now, false, &pairs, instruments));
    let then = shown(&plan, &old.executable, true, &pairs, instruments);
    // If no process can be started, nothing is known, and the run will say why.
    let Some((now, then)) = now.zip(then) else { return plan };
    let found = pairs.iter().zip(now.iter().zip(&then));
    let changed = |(pair, (now, then)): (&&PairPlan, _)| {
        Some((pair.name.clone(), changed(now, then, &pair.proof.other_makers)?))
    };
    let changes: HashMap<String, Maker> = found.filter_map(changed).collect();
    plan.with_other_inputs(&changes)
}

/// The inputs of these pairs in this binary or in the other one, as far as two of its processes show the
/// same.
fn shown(
    plan: &RunPlan,
    program: &Executable,
    is_other: bool,
    pairs: &[&PairPlan],
    instruments: &Instruments<'_>,
) -> Option<Vec<Inputs>> {
    let inputs = || {
        let side = Side { program: program.clone(), relinker: None };
        let children = Children::new(plan, instruments, side, None).ok()?;
        let children = if is_other { children.of_another_program() } else { children };
        Some(children.inputs(pairs))
    };
    let (one, other) = (inputs()?, inputs()?);
    Some(one.into_iter().zip(other).map(|(one, other)| agreed(one, other)).collect())
}

/// The inputs that two processes of one binary have shown, if they are equal.
fn agreed(one: Option<Inputs>, other: Option<Inputs>) -> Inputs {
    let both = one.unwrap_or_default().into_iter().zip(other.unwrap_or_default());
    both.map(|((maker, one), (_, other))| (maker, one.filter(|_| one == other))).collect()
}

/// The maker of the inputs that differ; `None` if they may be the same. `other` are the makers with other
/// code, which decides if an input cannot be shown or is random.
fn changed(now: &Inputs, then: &Inputs, other: &[Maker]) -> Option<Maker> {
    let differs = |maker: Maker| {
        let digest = |inputs: &Inputs| inputs.iter().find(|(of, _)| *of == maker)?.1;
        Some(digest(now)? != digest(then)?)
    };
    let has_other_args = differs(Maker::Args) == Some(true);
    // If there is a setup, it takes the arg instead of the function.
    let has_setup = now.iter().any(|(maker, _)| *maker == Maker::Setup);
    let mut parts = now.iter().map(|(maker, _)| *maker).filter(|maker| *maker != Maker::Args || !has_setup);
    let is_other = |maker: Maker| differs(maker).unwrap_or(has_other_args || other.contains(&maker));
    let other = parts.find(|maker| is_other(*maker))?;
    Some(if has_other_args { Maker::Args } else { other })
}

#[cfg(test)]
mod tests {
    use super::Maker::{Args, Setup, SetupOnce};
    use super::*;

    #[test]
    fn inputs_that_differ_between_two_processes_are_unknown() {
        let one = Some(vec![(Args, Some(1)), (SetupOnce, None), (Setup, Some(2))]);
        let other = Some(vec![(Args, Some(1)), (SetupOnce, Some(3)), (Setup, Some(3))]);
        assert_eq!(agreed(one.clone(), other), [(Args, Some(1)), (SetupOnce, None), (Setup, None)]);
        assert_eq!(agreed(one, None), []);
    }

    #[test]
    fn only_the_inputs_that_functions_get_count() {
        let cases = [
            // An arg that a function gets, and one that its setup gets.
            (vec![(Args, 1, 1)], None),
            (vec![(Args, 1, 2)], Some(Args)),
            (vec![(Args, 1, 2), (Setup, 1, 1)], None),
            (vec![(Args, 1, 2), (Setup, 1, 2)], Some(Args)),
            (vec![(Args, 1, 1), (Setup, 1, 2)], Some(Setup)),
            (vec![(Args, 1, 1), (SetupOnce, 1, 2), (Setup, 1, 1)], Some(SetupOnce)),
            (vec![(Args, 1, 2), (SetupOnce, 1, 1)], Some(Args)),
            // 0 stands for an input that cannot be shown.
            (vec![(Args, 0, 1)], None),
            (vec![(Args, 1, 2), (Setup, 0, 0)], Some(Args)),
            (vec![(Args, 1, 1), (Setup, 0, 0)], None),
            (vec![(Args, 0, 0), (Setup, 0, 1)], None),
        ];
        for (parts, expected) in cases {
            let digest = |digest: u64| Some(digest).filter(|digest| *digest > 0);
            let now = parts.iter().map(|(maker, now, _)| (*maker, digest(*now))).collect();
            let then = parts.iter().map(|(maker, _, then)| (*maker, digest(*then))).collect();
            assert_eq!(changed(&now, &then, &[]), expected, "{parts:?}");
        }
    }

    #[test]
    fn the_code_of_makers_decides_if_inputs_cannot_be_shown() {
        let inputs = |setup| vec![(Args, Some(1)), (SetupOnce, Some(2)), (Setup, setup)];
        for (now, then, expected) in
            [(None, None, Some(Setup)), (None, Some(3), Some(Setup)), (Some(3), Some(3), None)]
        {
            assert_eq!(changed(&inputs(now), &inputs(then), &[Setup]), expected);
            assert_eq!(changed(&inputs(now), &inputs(then), &[Args]), None);
        }
    }
}
