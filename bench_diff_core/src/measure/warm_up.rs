//! The warm-up: how many calls make a slot, and which clock fits.

use std::time::Duration;

use super::Stopwatch;
use super::attempt::Attempt;
use crate::clock::{Choice, Clock, ClockCost, ClockKind, Clocks, Instruments};
use crate::coin::Chance;
use crate::error::MeasureError;
use crate::plan::{Plan, SelfTest};
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
pub(super) struct Warm<'c, 'p, C: Clocks> {
    pub(super) sampler: Timed<'c, 'p, C>,
    pub(super) warmup: Warmup,
    /// The cost of the chosen clock.
    pub(super) cost: ClockCost,
    /// The time from one duo to the next.
    pub(super) pace: Duration,
}

/// A sampler on the clock that was chosen.
pub(super) enum Timed<'c, 'p, C: Clocks> {
    ByWall(Sampler<'c, 'p, C::Wall>),
    ByCpu(Sampler<'c, 'p, C::Cpu>),
}

impl<C: Clocks> Warm<'_, '_, C> {
    pub(super) fn limited_by_inputs(&self) -> bool {
        match &self.sampler {
            Timed::ByWall(sampler) => sampler.limited_by_inputs,
            Timed::ByCpu(sampler) => sampler.limited_by_inputs,
        }
    }

    /// Puts the extra work of a self-test into the slots from now on.
    pub(super) fn slow_down(&mut self, plan: &Plan) {
        let Some(test) = plan.self_test else { return };
        let slot = self.warmup.typical_slot();
        match &mut self.sampler {
            Timed::ByWall(sampler) => slow_down(sampler, test, slot),
            Timed::ByCpu(sampler) => slow_down(sampler, test, slot),
        }
    }

    /// The calls of slots that are this many times as long, or as long as they can be; none where these are
    /// that already. The longer one lasts this many nanoseconds now.
    pub(super) fn lengthen(&mut self, times: u64, longer: u64) -> Option<u64> {
        match &mut self.sampler {
            Timed::ByWall(sampler) => sampler.lengthen(times, longer),
            Timed::ByCpu(sampler) => sampler.lengthen(times, longer),
        }
    }
}

fn slow_down(sampler: &mut Sampler<'_, '_, impl Clock>, test: SelfTest, slot: u64) {
    let stand_in = StandIn::of(test, sampler.iterations(), slot, sampler.clock());
    sampler.set_stand_in(stand_in);
}

/// Warms a pair up. The first half of the warm-up tells which clock fits, the second half runs on it.
pub(super) fn warm_up<'c, 'p, C: Clocks>(
    instruments: &'c Instruments<'c, C>,
    pair: &'p mut dyn Pair,
    plan: &Plan,
    attempt: Attempt,
    fewest: Fewest,
    stopwatch: &Stopwatch<'_, C::Wall>,
) -> Result<Warm<'c, 'p, C>, MeasureError> {
    let choice = Choice::new(attempt.clock, instruments)?;
    let mut chance = attempt.chance(attempt.seed(plan.seed).for_warmup());
    let mut sampler = Sampler::new(instruments.clocks().wall(), pair)
        .with_iterations(attempt.iterations)
        .with_stand_in(plan.self_test.map(|_| StandIn::EQUAL));
    if plan.max_tail.is_none() {
        sampler.calibrate(&mut chance, choice.step())?;
    }
    sampler.set_empty_slots(fewest.has_empty_slots());

    let (before, start) = (instruments.clocks().activity(), stopwatch.elapsed());
    let mut samples = Samples::default();
    while stopwatch.elapsed() < plan.warmup || samples.duos.len() < fewest.of_half(&samples) {
        sampler.block(&mut chance, 1, &mut samples);
    }
    let (iterations, first_half) = (sampler.iterations(), samples.duos.len());
    // What is made for each duo takes time as well.
    let pace = |duos: usize| (stopwatch.elapsed() - start) / u32::try_from(duos).unwrap_or(u32::MAX);
    Ok(match choice.cpu_clock(before, typical_slot(&samples.duos)) {
        None => {
            second_half(&mut sampler, &mut chance, fewest, &mut samples);
            let (cost, pace) = (instruments.wall(), pace(samples.duos.len()));
            let warmup = Warmup::new(samples, iterations, ClockKind::Wall, cost.resolution);
            Warm { sampler: Timed::ByWall(sampler), warmup, cost, pace }
        }
        Some((cpu, cost)) => {
            let (mut sampler, mut samples) = (sampler.on(cpu), Samples::default());
            second_half(&mut sampler, &mut chance, fewest, &mut samples);
            let pace = pace(first_half + samples.duos.len());
            let warmup = Warmup::new(samples, iterations, ClockKind::Cpu, cost.resolution);
            Warm { sampler: Timed::ByCpu(sampler), warmup, cost, pace }
        }
    })
}

/// Adds half of the fewest duos of a warm-up to those that were measured on the same clock, and makes them
/// two at least.
fn second_half(
    sampler: &mut Sampler<'_, '_, impl Clock>,
    chance: &mut Chance,
    fewest: Fewest,
    samples: &mut Samples,
) {
    let first_half = samples.duos.len();
    while samples.duos.len() < LONG_WARMUP_DUOS || samples.duos.len() < first_half + fewest.of_half(samples) {
        sampler.block(chance, 1, samples);
    }
}
