//! Measures two functions side by side and judges which one is slower.
//!
//! ```
//! # use std::hint::black_box;
//! # let once = || { black_box((0..black_box(1_000_u64)).fold(0, |sum, x| black_box(sum ^ x))); };
//! # let five_times = || { black_box((0..black_box(5_000_u64)).fold(0, |sum, x| black_box(sum ^ x))); };
//! let measurement = bench_diff_core::compare(five_times, once)?;
//! assert_eq!(measurement.judgement.verdict, Some(bench_diff_core::Verdict::Fail));
//! assert!(measurement.judgement.ratio > 2.0);
//! # Ok::<(), bench_diff_core::MeasureError>(())
//! ```
//!
//! A benchmark depends on `bench_diff_harness`, which has the attribute, the command line and the reports.
//! This crate is for programs that measure by themselves. It opens no file, reads no argument and prints
//! nothing. It uses no other crate of bench_diff.
//!
//! - [`compare()`] judges two closures with the default [`Plan`]; [`measure()`] takes a plan, clocks and a
//!   [`Pair`].
//! - The [sampler](sample) is for a program that wants the raw slots and decides by itself.
//!
//! # How the data flows
//!
//! A [`Plan`] says what the candidate promises and how it is measured. [`measure()`] runs both functions in
//! [`Duo`]s: four timed slots, B C C B or C B B C, in an order drawn by a fair [`Coin`]. Both functions go
//! through one call instruction, and each slot has the same number of calls, so only the functions differ.
//! One of the available [`Clocks`] times all the slots that count. A judge turns the duos into a
//! [`Judgement`]. The sequential judge looks at them again and again, and the measurement ends as soon as
//! they prove something. [`judge()`] gives the same answer for stored duos. Empty slots, measured between the
//! duos, show how much of a slot is [`Overhead`], which can neither make a pair fail nor hide a slowdown.
//!
//! ```
//! use std::hint::black_box;
//!
//! use bench_diff_core::{Closures, Gate, Instruments, Plan, SystemClocks, Verdict, measure};
//!
//! let plan = Plan { zone: Gate::MinSpeedup(1.5).zone(), ..Plan::default() };
//! let bytes = |count: usize| drop(black_box(vec![1_u8; count]));
//! let mut pair = Closures::new(|| bytes(100), || bytes(100_000));
//! let measurement = measure(&Instruments::new(&SystemClocks::new()), &mut pair, &plan)?;
//! assert_eq!(measurement.judgement.verdict, Some(Verdict::Pass));
//! # Ok::<(), bench_diff_core::MeasureError>(())
//! ```
//!
//! # Words
//!
//! A *pair* is a candidate and its baseline. A *slot* is one timed stretch of some calls. A *contrast* is the
//! number that a duo contributes, an estimate of ln(candidate / baseline). The *ratio* is candidate over
//! baseline, above 1 is slower. A *zone* holds the bounds that a judge works with. Latencies are nanoseconds
//! per call.

#![deny(clippy::print_stdout, clippy::print_stderr)]

#[doc(hidden)]
pub mod apart;
mod clock;
mod coin;
mod duo;
mod error;
mod gate;
mod judge;
mod measure;
mod measurement;
mod note;
mod overhead;
mod plan;
pub mod sample;
#[cfg(test)]
mod simulation;
pub mod stats;

pub use clock::{
    Activity, Call, Clock, ClockCost, ClockKind, ClockPolicy, Clocks, InstantClock, Instruments, ManualClock,
    SelfTimed, SlotClock, SystemClocks,
};
pub use coin::{Chance, Coin, OrderPolicy, Seed};
pub use duo::{Duo, Order, slots_of};
pub use error::MeasureError;
pub use gate::{Bounds, Gate, Zone};
pub use judge::{Ignored, Judgement, RoundFigures, Verdict, WelchFigures, judge};
pub use measure::{compare, measure};
pub use measurement::Measurement;
pub use note::{Needed, Note, Which};
pub use overhead::{Net, Overhead};
pub use plan::{JudgeKind, Plan};
#[doc(inline)]
pub use sample::{CACHE_LINE, Closures, Functions, Hooks, Pair, Places, Recording, Side, Warmup};

// Rounds are processes that the harness starts. These names are for the harness and may change with it.
#[doc(hidden)]
pub use clock::{repeat, saturating_nanoseconds};
#[doc(hidden)]
pub use judge::Rounds;
#[doc(hidden)]
pub use measure::{Round, measure_round};
#[doc(hidden)]
pub use plan::{MOST_IGNORED, MOST_ROUNDS};
#[doc(hidden)]
pub use sample::{BLOCK, SlotTime, Turn};

// For the library from which this one was split off.
#[doc(hidden)]
pub use coin::Generator;
