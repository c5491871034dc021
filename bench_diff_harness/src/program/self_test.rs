//! The self-test of gates: each is run on functions that it must pass, and on functions that it must fail.

use std::io::Write;

use super::measure::measure;
use crate::plan::RunPlan;
use crate::record::{Event, SelfTests};
use crate::report::Reports;
use crate::settings::{Config, Target};
use crate::system::exit::{Exit, Refusal};
use crate::system::{stderr, terminal};

/// Tests the gates of the planned pairs.
///
/// # Errors
///
/// If nothing is judged in this run.
pub(super) fn self_test(
    plan: RunPlan,
    config: &Config,
    target: &Target,
    out: &mut dyn Write,
) -> Result<Exit, Refusal> {
    if let Some(unjudged) = plan.unjudged {
        return Err(format!("there is no limit to test: {unjudged}").into());
    }
    let selected = plan.pairs.len();
    let plan = plan.self_test();
    if plan.pairs.is_empty() && selected > 0 {
        stderr::note("no function of this run has a limit to test");
    }
    let mut tests = SelfTests::of(&plan);
    let mut reports = Reports::of_self_tests(config, out, terminal::width());
    let mut exit = Exit::Success;
    let measured = measure(plan, None, config, target, &mut |event| {
        reports.emit(event);
        let Event::PairFinished { record, .. } = event else { return };
        for test in tests.add(record) {
            exit = exit.max(test.exit());
            reports.emit(&Event::GateTested(&test));
        }
    });
    // One half of each test is expected to fail.
    let measured = measured.unwrap_or_else(Refusal::tell);
    let measured = if measured == Exit::Failure { Exit::Success } else { measured };
    Ok(exit.max(measured).max(reports.exit()))
}
