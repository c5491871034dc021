//! An attempt at a pair: the first is as the plan says, those after it have longer slots or another clock.

use crate::clock::ClockPolicy;
use crate::coin::{Chance, OrderPolicy, Seed};
use crate::plan::Plan;

/// An attempt at a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    pub(super) clock: ClockPolicy,
    /// Set if a slot is one call, however short.
    pub(super) single_calls: bool,
    /// The fewest calls of a slot.
    pub(super) iterations: u64,
    /// The place of the stack on its cache line, in grains of 16 bytes from 0 to 3; by chance where nothing
    /// is said.
    pub(super) stack_place: Option<u8>,
    /// The number of attempts before it.
    pub(super) number: u64,
}

impl Attempt {
    pub(super) fn first(plan: &Plan, stack_place: Option<u8>) -> Self {
        Self {
            clock: plan.clock,
            single_calls: plan.max_tail.is_some(),
            iterations: 1,
            stack_place,
            number: 0,
        }
    }

    /// All that is left to chance with this seed.
    pub(super) fn chance(self, seed: Seed) -> Chance {
        Chance::new(OrderPolicy::Coin, seed).with_stack_place(self.stack_place)
    }

    /// The seed of its coins: each attempt flips them anew.
    pub(super) fn seed(self, seed: Seed) -> Seed {
        if self.number == 0 { seed } else { seed.for_attempt(self.number) }
    }
}
