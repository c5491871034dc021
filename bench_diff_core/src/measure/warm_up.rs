//! The warm-up, which decides how many calls make a slot, and which clock to use.

use std::time::Duration;

use super::Stopwatch;
use super::attempt::Attempt;
use crate::clock::{Choice, ClockCost, ClockKind, Instruments};
use crate::duo::Duo;
use crate::error::MeasureError;
use crate::sample::{
    LONG_WARMUP_DUOS, Pair, Sampler, Samples, WARMUP_DUOS, Warmup, is_long, shortest_duo, typical_slot,
};

/// The fewest duos in each half of the warm-up unless they are long, in a first process and in later ones.
const FEWEST_OF_FIRST: usize = WARMUP_DUOS / 2;
const FEWEST_OF_LATER: usize = 2;

/// A pair after its warm-up.
pub(super) struct Warm<'c, 'p> {
    /// Uses the chosen clock.
    pub(super) sampler: Sampler<'c, 'p>,
    pub(super) warmup: Warmup,
    /// The cost of that clock.
    pub(super) cost: ClockCost,
    /// The time from one duo to the next.
    pub(super) pace: Duration,
}

impl Warm<'_, '_> {
    /// Measures the counted slots.
    pub(super) fn count(
        &mut self,
        attempt: Attempt<'_>,
        stopwatch: &Stopwatch<'_>,
        next: &mut Next<'_>,
    ) -> Samples {
        self.sampler.set_empty_slots(self.warmup.iterations > 1);
        let mut chance = attempt.chance();
        let (mut samples, start) = (Samples::default(), stopwatch());
        while let Some(length) = next(&samples.duos, stopwatch().saturating_sub(start)) {
            self.sampler.block(&mut chance, length, &mut samples);
        }
        samples
    }
}

/// Decides how many duos to measure next, at most a block, given the duos so far and the time since the first
/// of them; `None` ends the measurement.
pub(super) type Next<'a> = dyn FnMut(&[Duo], Duration) -> Option<usize> + 'a;

/// Warms up a pair. The first half of the warm-up decides which clock to use, the second half runs on it.
pub(super) fn warm_up<'c, 'p>(
    instruments: &'c Instruments<'c>,
    pair: &'p mut dyn Pair,
    attempt: Attempt<'_>,
    stopwatch: &Stopwatch<'_>,
) -> Result<Warm<'c, 'p>, MeasureError> {
    let Attempt { plan, is_of_first_process, .. } = attempt;
    let choice = Choice::new(attempt.clock, instruments)?;
    let mut chance = attempt.chance_of_warmup();
    let mut sampler = Sampler::new(instruments.clocks.wall(), pair).with_iterations(attempt.iterations);
    sampler.calibrate(&mut chance, choice.step())?;
    // The empty slots show the cost of calling.
    sampler.set_empty_slots(is_of_first_process);
    let fewest_of_half = |samples: &Samples| match is_long(shortest_duo(&samples.duos)) {
        true => LONG_WARMUP_DUOS / 2,
        false if is_of_first_process => FEWEST_OF_FIRST,
        false => FEWEST_OF_LATER,
    };

    let (before, start) = (instruments.clocks.activity(), stopwatch());
    let mut samples = Samples::default();
    while stopwatch() < plan.warmup || samples.duos.len() < fewest_of_half(&samples) {
        sampler.block(&mut chance, 1, &mut samples);
    }
    let (mut before_half, mut clock, mut cost) = (0, ClockKind::Wall, instruments.wall);
    if let Some((cpu, cost_of_cpu)) = choice.cpu_clock(before, typical_slot(&samples.duos)) {
        (before_half, samples) = (samples.duos.len(), Samples::default());
        (sampler.clock, clock, cost) = (cpu, ClockKind::Cpu, cost_of_cpu);
    }
    let first_half = samples.duos.len();
    while samples.duos.len() < LONG_WARMUP_DUOS || samples.duos.len() < first_half + fewest_of_half(&samples)
    {
        sampler.block(&mut chance, 1, &mut samples);
    }
    let duos = u32::try_from(before_half + samples.duos.len()).unwrap_or(u32::MAX);
    // Preparing each duo takes time as well.
    let pace = stopwatch().saturating_sub(start) / duos;
    let warmup = Warmup::new(samples, sampler.iterations, clock, cost.resolution);
    Ok(Warm { sampler, warmup, cost, pace })
}
