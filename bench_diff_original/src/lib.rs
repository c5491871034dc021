//! The library that `bench_diff_harness` comes from: the crate
//! [`bench_diff`](https://crates.io/crates/bench_diff) 1.1.0 (Paulo Villela 2025) and what was written down
//! beside it, on the [sampler](bench_diff_core::sample) of `bench_diff_core`.
//!
//! * [`bench_diff()`] and what belongs to it: two functions are compared in a number of executions that the
//!   caller chooses, and the caller draws the conclusions.
//! * [`noise_model`]: the model of noise, its bounds, and its simulation. [`NOISE_MODEL.md`] beside it says
//!   what of the model's text holds.
//! * [`loop_overhead`]: two loops compared, and a single call timed by the partition of a loop.
//!
//! [`STUDIES.md`] repeats the two studies of its text.
//!
//! [`NOISE_MODEL.md`]: https://docs.rs/crate/bench_diff_original/latest/source/NOISE_MODEL.md
//! [`STUDIES.md`]: https://docs.rs/crate/bench_diff_original/latest/source/STUDIES.md
//!
//! The words are those of that crate: f1 and f2 are a candidate and its baseline, executions are slots of one
//! call. A program that was written for it needs another dependency and no other change:
//!
//! ```toml
//! bench_diff = { package = "bench_diff_original", path = "../bench_diff/bench_diff_original" }
//! ```

mod interface;
pub mod loop_overhead;
pub mod noise_model;

#[expect(deprecated, reason = "it is here for those who still name it")]
pub use interface::statistics;
pub use interface::{
    DiffOut, DiffPlan, LatencyUnit, SummaryStats, bench_diff, bench_diff_with_status, bench_diff_x,
    bench_utils, get_warmup_millis, set_warmup_millis, stats_types,
};
