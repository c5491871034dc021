//! Slots that turn out to be too short for their clock, and what is done about it.
//!
//! A function may run at two speeds, each for milliseconds at a time, or grow faster after its warm-up: then
//! its slots are shorter than they were meant to be. It is measured again, on the wall clock where that is
//! read sooner, or with more calls in a slot.

use super::attempt::Attempt;
use super::warm_up::Warm;
use crate::clock::{ClockKind, ClockPolicy, Instruments};
use crate::error::MeasureError;

/// A slot that lasts fewer steps or readings of the clock is too short.
const FEWEST_STEPS: u64 = 100;

/// From this ratio of the two functions on fewer do: no gate is as near to it as a tenth.
const MANY_TIMES: u64 = 1000;
const FEWEST_STEPS_OF_MANY_TIMES: u64 = 10;

/// Slots that are made longer get this many times as long as they need to be.
const RESERVE: u64 = 2;

/// The most attempts at one pair.
const MOST: u64 = 8;

impl Attempt<'_> {
    /// The attempt that has to follow this one, of which these are the typical slots of the two functions, in
    /// ascending order; none where they are long enough, or as long as they can be.
    ///
    /// # Errors
    ///
    /// The clock is too coarse where longer slots cannot be had and these are shorter than 100 of its
    /// steps.
    pub(super) fn after(
        self,
        [shorter, longer]: [u64; 2],
        warm: &mut Warm<'_, '_>,
        instruments: &Instruments<'_>,
    ) -> Result<Option<Self>, MeasureError> {
        let fewest = match longer >= shorter.saturating_mul(MANY_TIMES) {
            true => FEWEST_STEPS_OF_MANY_TIMES,
            false => FEWEST_STEPS,
        };
        let needed = fewest.saturating_mul(warm.cost.step());
        if shorter >= needed {
            return Ok(None);
        }
        let resolution = warm.cost.resolution;
        if self.plan.max_tail.is_some() {
            let is_enough = shorter >= fewest.saturating_mul(resolution);
            let error = MeasureError::CallTooShort { call: shorter, resolution };
            return if is_enough { Ok(None) } else { Err(error) };
        }
        if self.number + 1 < MOST {
            let again = Self { iterations: warm.warmup.iterations, number: self.number + 1, ..self };
            let by_the_wall = fewest.saturating_mul(instruments.wall.step());
            if warm.warmup.clock == ClockKind::Cpu
                && self.clock == ClockPolicy::Auto
                && shorter >= by_the_wall
            {
                return Ok(Some(Self { clock: ClockPolicy::Wall, ..again }));
            }
            let times = needed.saturating_mul(RESERVE).div_ceil(shorter.max(1));
            if let Some(iterations) = warm.sampler.lengthen(times, longer) {
                return Ok(Some(Self { iterations, ..again }));
            }
        }
        if shorter >= fewest.saturating_mul(resolution) {
            return Ok(None);
        }
        let limited_by_inputs = warm.sampler.limited_by_inputs;
        Err(MeasureError::ClockTooCoarse { slot: shorter, resolution, limited_by_inputs })
    }
}
