//! The reason why a measurement has no verdict.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::stats::StatsError;
use crate::units::with_blank;

/// A measurement that cannot be judged. It is never a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeasureError {
    /// The CPU clock was asked for, and the system has none.
    NoCpuClock,
    /// The functions take no time that the clock could see, however often they are called.
    NoTime,
    /// The slots last less than 100 steps of the clock.
    ClockTooCoarse {
        /// A typical slot, in nanoseconds.
        slot: u64,
        /// The smallest step of the clock, in nanoseconds.
        resolution: u64,
    },
    /// The tail of a function was asked for of which a single call lasts less than 100 steps of the clock.
    CallTooShort {
        /// A typical call, in nanoseconds.
        call: u64,
        /// The smallest step of the clock, in nanoseconds.
        resolution: u64,
    },
    /// The slots last less than 100 steps of the clock, and inputs or outputs of longer ones take too much
    /// time or memory.
    InputsTooCostly {
        /// A typical slot, in nanoseconds.
        slot: u64,
        /// The smallest step of the clock, in nanoseconds.
        resolution: u64,
    },
    /// So few duos fit into the time that not even a plain slowdown could be proven.
    TooSlow {
        /// The [`max_time`](crate::Plan::max_time) that would suffice.
        needed: Duration,
    },
    /// A statistic could not be computed.
    Statistics(StatsError),
}

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCpuClock => f.write_str(
                "this system has no CPU clock for threads: use the clock `wall` or `auto`",
            ),
            Self::NoTime => {
                f.write_str("the clock sees no time pass: the compiler may have removed the work (see std::hint::black_box)")
            }
            Self::ClockTooCoarse { slot, resolution } => write!(
                f,
                "clock too coarse: a slot lasts {slot} ns and the clock steps by {resolution} ns, \
                 where a slot needs at least 100 steps"
            ),
            Self::CallTooShort { call, resolution } => write!(
                f,
                "max_tail looks at single calls: one lasts {call} ns and the clock steps by {resolution} ns, where a call \
                 needs at least 100 steps; do more in one call, or leave max_tail out"
            ),
            Self::InputsTooCostly { slot, resolution } => write!(
                f,
                "clock too coarse: a slot lasts {slot} ns and the clock steps by {resolution} ns, where a slot needs at \
                 least 100 steps; the inputs and outputs of a longer one take over 10 ms or 64 MiB, so take smaller ones, or \
                 functions that borrow with `&`"
            ),
            Self::TooSlow { needed } => {
                write!(
                    f,
                    "cannot be decided in time: raise max_time to {}",
                    with_blank(&format!("{needed:?}"))
                )
            }
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
