//! The records: what a run leaves behind, one JSON object a line.
//!
//! A [`StartRecord`] is known before the first pair, each [`PairRecord`] when its pair is decided, a
//! [`RunRecord`] at the end; an [`Event`] hands them to the reports.

mod against;
mod allocations;
mod figures;
mod gate;
mod json;
mod measured;
mod outcome;
mod pair;
mod run;
#[cfg(test)]
mod schema;

pub use self::against::{Hindrance, Obstacle, OtherSide, Uncompared};
pub(crate) use self::allocations::in_a_call;
pub use self::allocations::{AllocationsRecord, FunctionAllocations};
pub use self::figures::{
    Check, Differs, IntervalRecord, LayoutsRecord, OverheadRecord, RoundsRecord, SummaryRecord, WelchRecord,
};
pub use self::gate::{AllowedRecord, GateKind, GateRecord, IgnoredRecord};
pub use self::measured::Facts;
pub use self::outcome::{Doubt, DoubtKind, FailedGate, Outcome};
use self::pair::NO_COUNTS_IN_OLD;
pub use self::pair::{AllocationsOfOne, End, Figures, LatencyRecord, PairRecord, SlotsRecord, Timing};
pub use self::run::{
    Costs, Event, FinishedPair, Machine, PlannedRecord, RunRecord, StartRecord, no_verdicts,
};

/// A value that JSON can hold.
fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}
