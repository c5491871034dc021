//! The warm-up: how many calls make a slot, and which clock fits.

use std::time::Duration;

use super::Stopwatch;
use super::attempt::Attempt;
use crate::clock::{Choice, Clock, ClockCost, ClockKind, Clocks, Instruments};
use crate::duo::Duo;
use crate::error::MeasureError;
use crate::plan::Plan;
use crate::sample::{
    LONG_WARMUP_DUOS, Pair, Sampler, Samples, StandIn, WARMUP_DUOS, Warmup, is_long, shortest_duo,
    typical_slot,
};

/// The fewest duos of either half of a warm-up whose duos are not long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fewest(usize);

impl Fewest {
    /// For a process that has to learn everything about the functions itself.
    pub(super) const OF_PROCESS: Self = Self(WARMUP_DUOS / 2);

    /// For a process whose predecessor has told of them.
    pub(super) const OF_LATER_ROUND: Self = Self(2);

    /// The first process tells the cost of calling.
    fn has_empty_slots(self) -> bool {
        self.0 > Self::OF_LATER_ROUND.0
    }

    fn of_half(self, samples: &Samples) -> usize {
        if is_long(shortest_duo(&samples.duos)) { LONG_WARMUP_DUOS / 2 } else { self.0 }
    }
}

/// A pair that was warmed up.
pub(super) struct Warm<'c, 'p> {
    /// On the clock that was chosen.
    pub(super) sampler: Sampler<'c, 'p>,
    pub(super) warmup: Warmup,
    /// The cost of that clock.
    pub(super) cost: ClockCost,
    /// The time from one duo to the next.
    pub(super) pace: Duration,
}

impl Warm<'_, '_> {
    /// Puts the extra work of a self-test into the slots from now on.
    pub(super) fn slow_down(&mut self, plan: &Plan) {
        let Some(test) = plan.self_test else { return };
        let Sampler { iterations, clock, .. } = self.sampler;
        self.sampler.stand_in = Some(StandIn::of(test, iterations, self.warmup.typical_slot(), clock));
    }

    /// Measures what counts.
    pub(super) fn count(
        &mut self,
        plan: &Plan,
        attempt: Attempt,
        stopwatch: &Stopwatch<'_, impl Clock>,
        next: &mut Next<'_>,
    ) -> Samples {
        // Of a tail, calls may be short that fill a slot.
        self.sampler.set_empty_slots(self.warmup.iterations > 1 || plan.max_tail.is_some());
        let mut chance = attempt.chance(attempt.seed(plan.seed));
        let (mut samples, start) = (Samples::default(), stopwatch.elapsed());
        while let Some(length) = next(&samples.duos, stopwatch.elapsed() - start) {
            self.sampler.block(&mut chance, length, &mut samples);
        }
        samples
    }
}

/// Says how many duos to measure next, at most a block, given those so far and the time since the first of
/// them; none for the end.
pub(super) type Next<'a> = dyn FnMut(&[Duo], Duration) -> Option<usize> + 'a;

/// Warms a pair up. The first half of the warm-up tells which clock fits, the second half runs on it.
pub(super) fn warm_up<'c, 'p, C: Clocks>(
    instruments: &'c Instruments<'c, C>,
    pair: &'p mut dyn Pair,
    plan: &Plan,
    attempt: Attempt,
    fewest: Fewest,
    stopwatch: &Stopwatch<'_, C::Wall>,
) -> Result<Warm<'c, 'p>, MeasureError> {
    let choice = Choice::new(attempt.clock, instruments)?;
    let mut chance = attempt.chance(attempt.seed(plan.seed).for_warmup());
    let mut sampler = Sampler::new(instruments.clocks.wall(), pair)
        .with_iterations(attempt.iterations)
        .with_stand_in(plan.self_test.map(|_| StandIn::EQUAL));
    if plan.max_tail.is_none() {
        sampler.calibrate(&mut chance, choice.step())?;
    }
    sampler.set_empty_slots(fewest.has_empty_slots());

    let (before, start) = (instruments.clocks.activity(), stopwatch.elapsed());
    let mut samples = Samples::default();
    while stopwatch.elapsed() < plan.warmup || samples.duos.len() < fewest.of_half(&samples) {
        sampler.block(&mut chance, 1, &mut samples);
    }
    let (mut before_half, mut clock, mut cost) = (0, ClockKind::Wall, instruments.wall);
    if let Some((cpu, cost_of_cpu)) = choice.cpu_clock(before, typical_slot(&samples.duos)) {
        (before_half, samples) = (samples.duos.len(), Samples::default());
        (sampler.clock, clock, cost) = (cpu, ClockKind::Cpu, cost_of_cpu);
    }
    let first_half = samples.duos.len();
    while samples.duos.len() < LONG_WARMUP_DUOS || samples.duos.len() < first_half + fewest.of_half(&samples)
    {
        sampler.block(&mut chance, 1, &mut samples);
    }
    let duos = u32::try_from(before_half + samples.duos.len()).unwrap_or(u32::MAX);
    // What is made for each duo takes time as well.
    let pace = (stopwatch.elapsed() - start) / duos;
    let warmup = Warmup::new(samples, sampler.iterations, clock, cost.resolution);
    Ok(Warm { sampler, warmup, cost, pace })
}
