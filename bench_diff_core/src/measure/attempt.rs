//! An attempt at a pair. The first one follows the plan; later ones have longer slots or another clock.
//!
//! A function may run at two speeds, each for milliseconds at a time, or become faster after its warm-up. Its
//! slots are then shorter than intended. It is measured again, on the wall clock if that has a smaller step,
//! or with more calls per slot.

use super::warm_up::Warm;
use crate::clock::{ClockKind, ClockPolicy, Instruments};
use crate::coin::{Chance, OrderPolicy, Seed};
use crate::error::MeasureError;
use crate::plan::Plan;

/// A slot of fewer steps or readings of the clock is too short.
const FEWEST_STEPS: u64 = 100;

/// If one function takes at least this many times as long as the other, fewer steps suffice: no gate is so
/// close that an error of a tenth would matter.
const MANY_TIMES: u64 = 1000;
const FEWEST_STEPS_OF_MANY_TIMES: u64 = 10;

/// The fewest steps of slots for whose inputs there is no more room, if the clock's steps are longer than 1
/// ns. Rounds count no difference of a step, and without a gate nothing is judged.
const FEWEST_STEPS_OF_INPUTS: u64 = 4;

/// Slots that are lengthened get this many times the necessary length.
const RESERVE: u64 = 2;

/// The most attempts at one pair.
const MOST: u64 = 8;

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

    /// The attempt that has to follow this one, given the typical slots of the two functions in ascending
    /// order; `None` if they are long enough, or as long as they can be. If there is no room for the inputs
    /// of more calls, it is up to the judge, who knows how much of a slot is overhead or a step of the clock.
    ///
    /// # Errors
    ///
    /// [`MeasureError::ClockTooCoarse`] if the slots last too few steps of the clock and cannot be made
    /// longer.
    pub(super) fn after(
        self,
        [shorter, longer]: [u64; 2],
        warm: &mut Warm<'_, '_>,
        instruments: &Instruments<'_>,
    ) -> Result<Option<Self>, MeasureError> {
        let steps = match longer >= shorter.saturating_mul(MANY_TIMES) {
            true => FEWEST_STEPS_OF_MANY_TIMES,
            false => FEWEST_STEPS,
        };
        let needed = steps.saturating_mul(warm.cost.step());
        if shorter >= needed {
            return Ok(None);
        }
        let resolution = warm.cost.resolution;
        if self.number + 1 < MOST {
            let again = Self { iterations: warm.warmup.iterations, number: self.number + 1, ..self };
            let needed_by_wall = steps.saturating_mul(instruments.wall.step());
            if warm.warmup.clock == ClockKind::Cpu
                && self.clock == ClockPolicy::Auto
                && shorter >= needed_by_wall
            {
                return Ok(Some(Self { clock: ClockPolicy::Wall, ..again }));
            }
            let times = needed.saturating_mul(RESERVE).div_ceil(shorter.max(1));
            if let Some(iterations) = warm.sampler.lengthen(times, longer) {
                return Ok(Some(Self { iterations, ..again }));
            }
        }
        let limited_by_inputs = warm.sampler.limited_by_inputs;
        let knows_steps = self.plan.max_rounds.is_some() || self.plan.zone.is_none();
        let steps = match limited_by_inputs {
            true if resolution == 1 => 0,
            true if knows_steps => FEWEST_STEPS_OF_INPUTS,
            _ => steps,
        };
        if shorter >= steps.saturating_mul(resolution) {
            return Ok(None);
        }
        Err(MeasureError::ClockTooCoarse { slot: shorter, steps, resolution, limited_by_inputs })
    }
}
