//! The duos that count.

use std::time::Duration;

use super::Stopwatch;
use super::attempt::Attempt;
use super::warm_up::{Timed, Warm};
use crate::clock::{Clock, Clocks};
use crate::duo::Duo;
use crate::plan::Plan;
use crate::sample::{Sampler, Samples};

/// Says how many duos to measure next, at most a block, given those so far and the time since the first of
/// them; none for the end.
pub(super) type Next<'a> = dyn FnMut(&[Duo], Duration) -> Option<usize> + 'a;

impl<C: Clocks> Warm<'_, '_, C> {
    /// Measures what counts.
    pub(super) fn count(
        &mut self,
        plan: &Plan,
        attempt: Attempt,
        stopwatch: &Stopwatch<'_, C::Wall>,
        next: &mut Next<'_>,
    ) -> Samples {
        let plan = &Plan { seed: attempt.seed(plan.seed), ..*plan };
        // Of a tail, calls may be short that fill a slot.
        let has_empty_slots = self.warmup.iterations > 1 || plan.max_tail.is_some();
        match &mut self.sampler {
            Timed::ByWall(sampler) => count(sampler, plan, attempt, has_empty_slots, stopwatch, next),
            Timed::ByCpu(sampler) => count(sampler, plan, attempt, has_empty_slots, stopwatch, next),
        }
    }
}

fn count(
    sampler: &mut Sampler<'_, '_, impl Clock>,
    plan: &Plan,
    attempt: Attempt,
    has_empty_slots: bool,
    stopwatch: &Stopwatch<'_, impl Clock>,
    next: &mut Next<'_>,
) -> Samples {
    sampler.set_empty_slots(has_empty_slots);
    let mut chance = attempt.chance(plan.seed);
    let (mut samples, start) = (Samples::default(), stopwatch.elapsed());
    while let Some(length) = next(&samples.duos, stopwatch.elapsed() - start) {
        sampler.block(&mut chance, length, &mut samples);
    }
    samples
}
