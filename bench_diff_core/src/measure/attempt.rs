//! An attempt at a pair. The first one follows the plan; later ones have longer slots or another clock.

use crate::clock::ClockPolicy;
use crate::coin::{Chance, OrderPolicy, Seed};
use crate::plan::Plan;

/// An attempt at a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt<'a> {
    pub(super) plan: &'a Plan,
    pub(super) clock: ClockPolicy,
    /// Set for the process that has to learn everything about the functions itself. Later processes build on
    /// what it found.
    pub(super) is_of_first_process: bool,
    /// The fewest calls of a slot.
    pub(super) iterations: u64,
    /// The place of the stack in its cache line, in grains of 16 bytes from 0 to 3; random if `None`.
    pub(super) stack_place: Option<u8>,
    /// The number of attempts before it.
    pub(super) number: u64,
}

impl<'a> Attempt<'a> {
    pub(super) fn first(plan: &'a Plan, stack_place: Option<u8>) -> Self {
        Self { plan, clock: plan.clock, is_of_first_process: true, iterations: 1, stack_place, number: 0 }
    }

    /// Everything that is random in the counted slots.
    pub(super) fn chance(self) -> Chance {
        Chance::new(OrderPolicy::Coin, self.seed()).with_stack_place(self.stack_place)
    }

    /// Everything that is random in the warm-up.
    pub(super) fn chance_of_warmup(self) -> Chance {
        Chance::new(OrderPolicy::Coin, self.seed().for_warmup()).with_stack_place(self.stack_place)
    }

    /// The seed of its coins, a different one for every attempt.
    fn seed(self) -> Seed {
        if self.number == 0 { self.plan.seed } else { self.plan.seed.for_attempt(self.number) }
    }
}
