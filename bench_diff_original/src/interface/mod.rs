//! Two functions, compared in a number of executions that the caller chooses: the interface of bench_diff
//! 1.1.0.

mod bench_diff;
pub mod bench_utils;
mod diff_out;
mod latency_unit;
mod plan;
pub(crate) mod run;
mod sample;
pub mod stats_types;
mod status;
mod student;
mod summary_stats;
#[cfg(test)]
mod tests;
mod warmup_millis;
mod welch;

pub use bench_diff::{bench_diff, bench_diff_x};
pub use diff_out::DiffOut;
pub use latency_unit::LatencyUnit;
pub use plan::DiffPlan;
pub use status::bench_diff_with_status;
pub use summary_stats::SummaryStats;
pub use warmup_millis::{get_warmup_millis, set_warmup_millis};

/// The former name of [`stats_types`].
#[deprecated(note = "use mod `stats_types` instead")]
pub mod statistics {
    pub use crate::interface::stats_types::*;
}
