//! Sampling: two functions, called in timed slots.

mod calibration;
mod pair;
mod recording;
mod sampler;
mod slot;
mod stack;
#[cfg(test)]
mod tests;
mod warmup;

pub use pair::{Closures, Functions, Pair};
pub use recording::Recording;
pub use sampler::BLOCK;
pub(crate) use sampler::{HalfDuo, Sampler, Samples};
pub use slot::{Chores, Side};
pub use warmup::Warmup;
pub(crate) use warmup::{
    LONG_WARMUP_DUOS, WARMUP_DUOS, fewest_duos_as_long_as, is_long, relative_resolution, shortest_duo,
    typical_slot, typical_slots,
};
