//! Measures failed pairs again in binaries whose crates are one codegen unit each. The sides then do not
//! differ in how the compiler divided their crates.
//!
//! A pair still fails unless it passes this time, so that nothing fails by chance more often than it did.

use std::collections::HashMap;

use bench_diff_core::Instruments;
use bench_diff_report::record::{Event, Machine, Outcome};

use super::linked::{Linked, OLD, THIS, prepared};
use crate::other_side::MeasuredSide;
use crate::plan::{PairPlan, Relinking, RunPlan};
use crate::run::{self, Children, Side};

/// The outcomes by time of these pairs of a run in binaries that are built so, the working tree's first.
///
/// # Errors
///
/// If they cannot be measured as the run measured them.
pub(super) fn judged(
    run: &RunPlan,
    failed: &[&PairPlan],
    sides: &[MeasuredSide; 2],
    instruments: &Instruments<'_>,
) -> Result<Vec<Outcome>, String> {
    let plan = run.of_failed(failed);
    let [new, old] = sides;
    let linked =
        |plan: &RunPlan| Ok(vec![Linked::of_side(THIS, plan, new)?, Linked::of_side(OLD, plan, old)?]);
    let (plan, relinkers) = prepared(plan, Some(old), linked, instruments);
    if let Relinking::Impossible(why) = plan.relinking {
        return Err(why);
    }
    let mut relinkers = relinkers.into_iter();
    let [new, old] = sides
        .each_ref()
        .map(|side| Side { program: side.program.executable.clone(), relinker: relinkers.next() });
    let mut children = Children::new(&plan, instruments, new, Some(old))?;
    let mut outcomes = HashMap::new();
    run::run(&plan, &Machine::default(), &mut children, None, &mut |event| {
        if let Event::PairFinished { record, .. } = event {
            outcomes.insert(record.name.clone(), record.outcome_of_time());
        }
    });
    Ok(failed.iter().map(|pair| outcomes.get(&pair.listed.name).copied().unwrap_or_default()).collect())
}
