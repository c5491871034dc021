//! Sampling: the functions of a pair, called in timed slots.
//!
//! [`measure()`](crate::measure()) uses all of this. A program that plans and decides by itself uses a
//! [`Sampler`]: it sets the number of calls in a slot, requests blocks of duos and does what it likes with
//! the raw [`Samples`]. Everything random, the order of the slots and their place on the stack, comes from a
//! [`Chance`](crate::Chance).
//!
//! ```
//! use std::hint::black_box;
//! use bench_diff_core::sample::{BLOCK, Sampler, Samples};
//! use bench_diff_core::{Chance, Closures, InstantClock, OrderPolicy, Seed};
//!
//! let sum = |up_to: u64| _ = black_box((0..black_box(up_to)).fold(0, |sum, x| black_box(sum ^ x)));
//! let mut pair = Closures::new(|| sum(500), || sum(100));
//! let mut sampler = Sampler::new(&InstantClock, &mut pair).with_iterations(1_000);
//! let (mut chance, mut samples) = (Chance::new(OrderPolicy::Coin, Seed(1)), Samples::default());
//! sampler.block(&mut chance, BLOCK, &mut samples);
//! assert!(samples.duos.iter().all(|duo| duo.contrast() > 0.0));
//! ```

mod calibration;
mod functions;
mod recording;
mod sampler;
mod slot;
mod stack;
#[cfg(test)]
mod tests;
mod turn;
mod warmup;

pub(crate) use calibration::LONGEST_FOR_STARTS;
pub use functions::{Closures, Functions, Pair};
pub use recording::{CACHE_LINE, Places, Recording};
pub use sampler::{BLOCK, Sampler, Samples};
pub(crate) use slot::LONGEST_FOR_INPUTS;
pub use slot::{Hooks, Side, SlotTime};
pub use turn::Turn;
pub use warmup::Warmup;
// For the library from which this one was split off. Its warm-up and its resolution follow the same rules.
#[doc(hidden)]
pub use warmup::{LONG_WARMUP_DUOS, fewest_warmup_duos, is_long, relative_resolution};
pub(crate) use warmup::{WARMUP_DUOS, shortest_duo, typical_slot, typical_slots};
