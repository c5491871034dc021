//! Stands in for the isolation of pairs, whose processes answer in JSON: the settings refuse it.

use crate::cli::Isolated;
use crate::config::Mode;
use crate::event::{Event, Measured};
use crate::exit::Exit;
use crate::plan::{PairPlan, RunPlan};
use crate::probe::Check;
use crate::record::{Outcome, PairRecord};

const NOT_BUILT: &str = "to isolate a pair needs the feature `reports` of bench_diff_harness";

pub(crate) fn measure(
    plan: &RunPlan,
    pair: &PairPlan,
    _: &mut dyn FnMut(&Event<'_>),
) -> (PairRecord, Option<Measured>) {
    (PairRecord::unmeasured(plan, pair, Outcome::Error, Some(NOT_BUILT.to_owned())), None)
}

pub(crate) fn test(_: &RunPlan, _: &PairPlan) -> Result<Check, String> {
    Err(NOT_BUILT.to_owned())
}

pub(crate) fn answer(_: &RunPlan, _: Mode, _: &Isolated) -> Exit {
    Exit::Error
}

pub(crate) fn end_with(_: u32) {}
