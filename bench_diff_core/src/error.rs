//! The reason why a measurement has no verdict.

use std::error::Error;
use std::fmt;

use crate::stats::StatsError;

/// A measurement without a verdict. It is never a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeasureError {
    /// The plan wants the CPU clock, and the system has none.
    NoCpuClock,
    /// The faster function takes too little time: even 2^24 calls do not make a slot long enough for the
    /// clock, or it takes no visible time in as many calls as the slower function or the inputs allow.
    NoTime,
    /// The slots last too few steps of the clock.
    ClockTooCoarse {
        /// A typical slot, in nanoseconds.
        slot: u64,
        /// The steps that it needs to last: 100, or 10 if one function takes 1000 times as long as the other,
        /// or 4 if `limited_by_inputs` and the plan has rounds or no zone.
        steps: u64,
        /// The smallest step of the clock, in nanoseconds.
        resolution: u64,
        /// Set if longer slots are ruled out by the batch size, or by the time or memory of what is not timed
        /// in them.
        limited_by_inputs: bool,
    },
    /// A statistic could not be computed.
    Statistics(StatsError),
}

const ADVICE_ON_INPUTS: &str = "; preparing more of them takes over 10 ms or 64 MiB, or exceeds the batch size: use \
    larger batches, smaller inputs, or functions that borrow with `&`";

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCpuClock => f.write_str(
                "this system has no CPU clock for threads: use the clock `wall` or `auto`",
            ),
            Self::NoTime => {
                f.write_str("the clock sees no time pass: the compiler may have removed the work (see std::hint::black_box)")
            }
            Self::ClockTooCoarse { slot, steps, resolution, limited_by_inputs } => {
                let advice = if *limited_by_inputs { ADVICE_ON_INPUTS } else { "; do more work in one call" };
                write!(
                    f,
                    "clock too coarse: the calls timed together last {slot} ns and need to last at least {steps} steps \
                     of the clock, which are {resolution} ns each{advice}"
                )
            }
            Self::Statistics(error) => write!(f, "{error}"),
        }
    }
}

impl Error for MeasureError {}

impl From<MeasureError> for String {
    fn from(error: MeasureError) -> Self {
        error.to_string()
    }
}

impl From<StatsError> for MeasureError {
    fn from(error: StatsError) -> Self {
        Self::Statistics(error)
    }
}
