//! The records: what a run leaves behind, one JSON object a line.

mod against;
pub mod allocations;
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

pub use self::against::{Hindrance, Obstacle, OtherSide, Uncompared};
pub use self::allocations::{AllocationsRecord, FunctionAllocations};
pub use self::doubt::{Doubt, DoubtKind};
pub use self::event::{Event, FinishedPair};
pub use self::figures::{
    Check, Differs, IntervalRecord, OverheadRecord, RoundsRecord, SummaryRecord, WelchRecord,
};
pub use self::gate::{GateKind, GateRecord, IgnoredRecord};
pub use self::judged::Facts;
pub use self::latency::{AllocationsOfOne, Timing};
pub use self::layouts::LayoutsRecord;
pub use self::machine::{Costs, Machine};
use self::notes::notes;
pub use self::outcome::{FailedGate, Outcome};
pub use self::pair_record::{End, Figures, PairRecord};
pub use self::run::RunRecord;
pub use self::start::{PlannedRecord, StartRecord, no_verdicts};

/// A value that JSON can hold.
fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}
