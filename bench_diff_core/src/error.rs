//! Why a measurement has no verdict.

use std::error::Error;
use std::fmt;

use crate::stats::StatsError;

/// A measurement that cannot be judged. It is never a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeasureError {
    /// The functions take no time that the clock could see, however often they are called.
    NoTime,
    /// The slots last less than 100 steps of the clock.
    ClockTooCoarse {
        /// A typical slot, in nanoseconds.
        slot: u64,
        /// The smallest step of the clock, in nanoseconds.
        resolution: u64,
    },
    /// A statistic could not be computed.
    Statistics(StatsError),
}

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTime => {
                f.write_str("the functions take no time that the clock can see; they may be optimised away")
            }
            Self::ClockTooCoarse { slot, resolution } => write!(
                f,
                "clock too coarse: a slot lasts {slot} ns and the clock steps by {resolution} ns, \
                 where a slot needs at least 100 steps"
            ),
            Self::Statistics(error) => write!(f, "{error}"),
        }
    }
}

impl Error for MeasureError {}

impl From<StatsError> for MeasureError {
    fn from(error: StatsError) -> Self {
        Self::Statistics(error)
    }
}
