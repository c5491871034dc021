//! Loops around functions that are too short to be timed alone, and what the loop itself costs.
//!
//! A loop of n turns takes a + n (l + f): a to start it and to read the clock, l for a turn, f for the call.
//! Of two loops the difference is free of a and l, the ratio is not: it is drawn towards 1.
//!
//! [`compare_loops`] has the difference. [`time_single_call`] has f alone, by the partition of a loop into
//! one that calls once a turn and one that calls twice. Both measure their two loops in duos ordered by a
//! coin, so that they are near to each other in time; the idea of the partition was written down with one
//! loop after the other, where 3 % of slow noise alone make 5 % of error.
//!
//! # What the partition can and cannot do
//!
//! It removes a and l if two calls in a turn cost exactly twice one call. In a processor that executes out of
//! order they do not: the loop's own instructions run in the shadow of the call, the second call overlaps the
//! first one, and the compiler may merge the two, inline them differently or align the two loops differently,
//! which alone has made equal code differ by 10 %. And it is noisy. For the same number of calls in as many
//! slots its variance is 9 times that of the plain loop where the noise adds to a slot, and 10 times where it
//! multiplies. So a single call is no basis for a ratio, and no gate uses it: a gate on the plain loops hides
//! a part of a difference and never makes one up.

mod comparison;
mod plan;
mod single_call;

pub use comparison::{LoopComparison, compare_loops};
pub use plan::LoopPlan;
pub use single_call::{SingleCall, time_single_call};
