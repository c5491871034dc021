//! The measurement of a plan, from the lock of the machine to the exit code.

use std::env;

use bench_diff_core::{Instruments, SystemClocks};
use bench_diff_report::record::{Event, Outcome};
use bench_diff_system::executable::Executable;
use bench_diff_system::exit::{Exit, Refusal};
use bench_diff_system::file_lock::FileLock;
use bench_diff_system::stderr;

use super::linked::{Linked, prepared};
use super::one_unit;
use crate::machine;
use crate::other_side::MeasuredSide;
use crate::plan::{PairPlan, RunPlan};
use crate::run::{self, Children, OneUnit, Side};
use crate::settings::Target;

/// Measures a plan in processes of this binary, and of the old side's, if there is one. Calls `emit` with
/// each event.
///
/// # Errors
///
/// If the run cannot start.
pub(super) fn measure(
    plan: RunPlan,
    side: Option<&MeasuredSide>,
    target: &Target,
    emit: &mut dyn FnMut(&Event<'_>),
) -> Result<Exit, Refusal> {
    warn(plan.warnings());
    let measures = plan.pairs.iter().any(|pair| pair.ignored.is_none());
    let _lock = if measures { lock_of_machine() } else { None };

    let clocks = SystemClocks::new();
    let instruments = Instruments::new(&clocks);
    let machine = machine::read(&instruments);
    if measures {
        warn(machine::warning(&machine));
    }
    let linked = |plan: &RunPlan| Linked::of_run(plan, side, target);
    let (plan, relinkers) = prepared(plan, side, linked, &instruments);
    plan.refuse_too_few()?;
    let mut relinkers = relinkers.into_iter();
    let new = Side { program: Executable::this()?, relinker: relinkers.next() };
    let old = side.map(|side| Side { program: side.program.executable.clone(), relinker: relinkers.next() });
    let mut children = Children::new(&plan, &instruments, new, old)?;
    let ticks = machine::ticks();
    let mut is_undecided = false;
    let mut one_unit = side.filter(|side| side.program.is_split).map(|side| {
        |failed: &[&PairPlan]| {
            one_unit::judged(&plan, failed, &side.both_of_one_unit(&plan.config, target)?, &instruments)
        }
    });
    let one_unit: OneUnit<'_> = one_unit.as_mut().map(|judge| judge as _);
    let mut exit = run::run(&plan, &machine, &mut children, one_unit, &mut |event| {
        is_undecided |=
            matches!(event, Event::PairFinished { record, .. } if record.outcome() == Outcome::Inconclusive);
        emit(event);
    });
    if let Some(reason) =
        plan.unjudged.filter(|_| plan.has_gate() && (plan.config.strict || plan.config.surroundings.ci))
    {
        stderr::error(format_args!("nothing was judged: {reason}"));
        exit = Exit::Error;
    }
    // Noise costs a decided pair nothing but time.
    if is_undecided || plan.config.verbose {
        warn(machine::interference(ticks));
    }
    Ok(exit)
}

/// Waits until no other run measures on this machine, since two would disturb each other. If that takes too
/// long, or nothing can be locked, this run measures beside it.
fn lock_of_machine() -> Option<FileLock> {
    const LONGEST: u64 = 10;

    let locked =
        FileLock::wait(&env::temp_dir().join("bench_diff.lock"), "measures on this machine", LONGEST);
    locked.map_err(|error| warn([format!("{error}; another run may measure at the same time")])).ok()
}

fn warn(warnings: impl IntoIterator<Item = String>) {
    for warning in warnings {
        stderr::warning(warning);
    }
}
