//! The records: what a run leaves behind, one JSON object a line.

mod against;
pub(crate) mod allocations;
mod doubt;
mod event;
mod figures;
mod gate;
mod judged;
mod latency;
mod layouts;
mod machine;
mod notes;
mod outcome;
mod pair_record;
mod run;
#[cfg(test)]
mod schema;
mod start;
mod timed;
mod verdict;

pub(crate) use self::against::{Hindrance, Obstacle, OtherSide, Uncompared};
pub(crate) use self::allocations::{AllocationsRecord, FunctionAllocations};
pub(crate) use self::doubt::{Doubt, DoubtKind};
pub(crate) use self::event::{Event, FinishedPair};
pub(crate) use self::figures::{
    Check, Differs, IntervalRecord, OverheadRecord, RoundsRecord, SummaryRecord, WelchRecord,
};
pub(crate) use self::gate::{GateKind, GateRecord, IgnoredRecord};
pub(crate) use self::judged::Facts;
pub(crate) use self::latency::{AllocationsOfOne, Timing};
pub(crate) use self::layouts::LayoutsRecord;
pub(crate) use self::machine::{Costs, Machine};
use self::notes::notes;
pub(crate) use self::outcome::{FailedGate, Outcome};
pub(crate) use self::pair_record::{End, Figures, PairRecord};
pub(crate) use self::run::RunRecord;
pub(crate) use self::start::{PlannedRecord, StartRecord, no_verdicts};

/// A value that JSON can hold.
fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}
