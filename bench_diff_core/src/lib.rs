//! Measures two functions side by side and judges which one is slower.
//!
//! This crate measures and judges; it opens no file, reads no argument and prints nothing, but for the
//! progress that [`bench_diff_with_status()`] is asked for. The attribute, the command line and the reports
//! are in `bench_diff_harness`, which is what a benchmark depends on.
//!
//! [`measure()`] decides on a gate and stops as soon as it knows. A program that wants the raw slots and
//! decides by itself has the [sampler](sample). The folder [`original`] is the library that this one comes
//! from: its [`bench_diff()`] compares two functions in a fixed number of executions and leaves the
//! conclusions to its caller, and its programs run with
//! `bench_diff = { package = "bench_diff_core", version = "0.1" }` in its place.
//!
//! # How the data flows
//!
//! A [`Plan`] says what is promised and how it is measured. [`measure()`] runs both functions in [`Duo`]s:
//! four timed slots, B C C B or C B B C, in an order drawn by a fair [`Coin`]. Both functions go through one
//! call instruction, and each slot is the same number of calls, so that what differs between them is the
//! functions. Of the [`Clocks`] that there are one times all the slots that count. A judge turns the duos
//! into a [`Judgement`]: the sequential one looks at them again and again, and the measurement ends as soon
//! as they prove something. [`judge()`] does so again for stored duos and gives the same answer. Empty slots
//! among the others tell how much of a slot is [`Overhead`], which can neither make a pair fail nor hide a
//! slowdown.
//!
//! ```
//! use std::hint::black_box;
//! use std::time::Duration;
//! use bench_diff_core::*;
//!
//! let once = || { black_box((0..black_box(1_000_u64)).fold(0, |sum, x| black_box(sum ^ x))); };
//! let five_times = || { black_box((0..black_box(5_000_u64)).fold(0, |sum, x| black_box(sum ^ x))); };
//! let plan = Plan { warmup: Duration::from_millis(10), max_rounds: None, ..Plan::default() };
//! let clocks = SystemClocks::new();
//! let mut pair = Closures::new(five_times, once);
//! let measurement = measure(&Instruments::new(&clocks), &mut pair, &plan, &mut |_| {})?;
//! assert_eq!(measurement.judgement.verdict, Some(Verdict::Fail));
//! assert!(measurement.judgement.ratio > 2.0);
//! # Ok::<(), MeasureError>(())
//! ```
//!
//! # Words
//!
//! A *pair* is a candidate and its baseline. A *slot* is one timed stretch of some calls. A *contrast* is the
//! number that a duo contributes, an estimate of ln(candidate / baseline). The *ratio* is candidate over
//! baseline, above 1 is slower. A *zone* holds the bounds that a judge works with. Latencies are nanoseconds
//! per call.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod clock;
mod coin;
mod control;
mod duo;
mod error;
mod gate;
mod judge;
mod measure;
mod measurement;
mod note;
pub mod original;
mod overhead;
mod plan;
pub mod sample;
#[cfg(test)]
mod simulation;
pub mod stats;

pub use clock::{
    Activity, Clock, ClockCost, ClockKind, ClockPolicy, Clocks, CpuClock, InstantClock, Instruments,
    ManualClock, ManualClocks, SystemClocks,
};
pub use coin::{Chance, Coin, Generator, OrderPolicy, Seed};
pub use control::Control;
pub use duo::{Duo, Order};
pub use error::MeasureError;
pub use gate::{Bounds, Gate, Zone};
pub use judge::{
    Evidence, EvidenceCourse, Judgement, Next, RoundFigures, Rounds, TailFigures, Verdict, WelchFigures,
    judge,
};
pub use measure::{Progress, Round, measure, measure_round};
pub use measurement::{Measurement, Rejudged, judge_again};
pub use note::{Note, Which};
pub use overhead::{Net, Overhead};
pub use plan::{JudgeKind, MOST_ROUNDS, Plan};
#[doc(inline)]
pub use sample::{BLOCK, Closures, Functions, Hooks, Pair, Recording, Side, Warmup};

// A program that was written for the crate bench_diff 1.1.0 finds here what it knows.
#[doc(hidden)]
pub use original::bench_utils;
#[expect(deprecated, reason = "it is here for those who still name it")]
#[doc(no_inline)]
pub use original::statistics;
#[doc(no_inline)]
pub use original::{
    DiffOut, LatencyUnit, SummaryStats, bench_diff, bench_diff_with_status, bench_diff_x, get_warmup_millis,
    set_warmup_millis, stats_types,
};
