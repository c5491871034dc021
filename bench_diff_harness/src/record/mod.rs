//! The records: what a run leaves behind, one JSON object a line.

mod figures;
mod gate;
mod outcome;
mod pair;
mod run;

pub(crate) use self::figures::{ControlRecord, IntervalRecord, OverheadRecord, SummaryRecord, WelchRecord};
pub(crate) use self::gate::GateRecord;
pub(crate) use self::outcome::Outcome;
pub(crate) use self::pair::PairRecord;
pub(crate) use self::run::RunRecord;

/// A value that JSON can hold.
fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}
