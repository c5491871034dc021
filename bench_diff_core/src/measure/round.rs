//! The measurement of a pair in one process of a round.

use std::time::Duration;

use super::attempt::Attempt;
use super::warm_up::Warm;
use super::{Stopwatch, counted};
use crate::clock::{BothClocks, Choice, ClockKind, Instruments, saturating_nanoseconds};
use crate::coin::{Coin, OrderPolicy, Seed};
use crate::duo::{Duo, Order};
use crate::error::MeasureError;
use crate::judge::duos_of_round;
use crate::plan::Plan;
use crate::sample::{BLOCK, LONGEST_FOR_STARTS, Pair, Places, Recording, Sampler, Samples, Warmup};

/// A call that takes this long fills a slot on any clock, and a single earlier call is enough as warm-up.
const LONG_CALL: Duration = Duration::from_micros(1_250);

/// The part of a round that one process measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// The number of this process among those of the pair, from 0. Each has its own coins.
    pub number: usize,
    /// The place of the stack in its cache line, in grains of 16 bytes from 0 to 3; random if `None`.
    pub stack_place: Option<u8>,
    /// The number of duos. It is raised if preparing took longer than they would, and lowered if a duo takes
    /// long: to one, or to half a duo if calls take at least 1.25 ms and preparing takes not much longer. If
    /// calls take so long, the first duo is a half in any case.
    pub duos: usize,
    /// Set if four processes measure a round, of which this is the one with `number` modulo 4. One coin then
    /// decides the orders of their halves of duos: B C, C B, C B, B C, or the mirror of that.
    pub is_of_four: bool,
    /// The calls of the first slots: the number that an earlier process of the pair has found to be enough,
    /// or 1.
    pub iterations: u64,
    /// The time that preparing the functions took in this process.
    pub preparing: Duration,
    /// The time of the first calls of both functions, which this process has already called once.
    pub first_calls: Duration,
}

/// Measures a pair, or a function without a baseline, in one process of a round. The result is raw slots,
/// which [`Rounds`](crate::Rounds) judges.
///
/// The coins follow from the seed of the plan and the number of the process. Slots that turn out to be too
/// short are measured again, with more calls in each or on the wall clock.
///
/// # Errors
///
/// A [`MeasureError`] if the plan demands a clock that the system lacks, or if the functions are too fast for
/// the clock however often they are called. A panic of one of the functions passes through.
///
/// # Panics
///
/// If a number of the plan is out of the range in [`Plan`].
pub fn measure_round(
    instruments: &Instruments<'_>,
    pair: &mut dyn Pair,
    plan: &Plan,
    round: &Round,
) -> Result<Recording, MeasureError> {
    plan.assert_in_range();
    let order = order_of_half(plan.seed, round);
    let plan = &Plan { seed: plan.seed.for_round(round.number), ..*plan };
    let stopwatch = &*instruments.clocks.wall().stopwatch();
    let (places, has_baseline) = (pair.entries().map(Places::of), pair.has_baseline());
    let is_one_function = pair.is_one_function();
    let recording = match long_round(instruments, pair, plan, (round, order), stopwatch)? {
        Some(recording) => recording,
        None => short_round(instruments, pair, plan, round, stopwatch)?,
    };
    Ok(Recording { places, has_baseline, is_one_function, preparing: round.preparing, ..recording })
}

/// The order of a process that measures half a duo.
fn order_of_half(seed: Seed, round: &Round) -> Order {
    let place = if round.is_of_four { round.number % 4 } else { 0 };
    let drawn = Coin::new(OrderPolicy::Coin, seed.for_round(round.number - place)).flip();
    if matches!(place, 1 | 2) { drawn.reversed() } else { drawn }
}

/// A round of functions that need a warm-up and, usually, slots of many calls.
fn short_round(
    instruments: &Instruments<'_>,
    pair: &mut dyn Pair,
    plan: &Plan,
    round: &Round,
    stopwatch: &Stopwatch<'_>,
) -> Result<Recording, MeasureError> {
    let is_first = round.number == 0;
    let attempt = Attempt {
        is_of_first_process: is_first,
        iterations: round.iterations,
        ..Attempt::first(plan, round.stack_place)
    };
    let begin = |warm: &Warm<'_, '_>| length_of(round, warm.warmup.typical_duo(), warm.pace);
    let next = |length: &mut usize, duos: &[Duo], _| block_of(*length, duos);
    let (mut recording, _) = counted(instruments, pair, attempt, stopwatch, begin, next)?;
    if !is_first {
        recording.warmup.duos.clear();
    }
    Ok(recording)
}

/// The duos of a round, given the nanoseconds in the slots of a duo and the time from one duo to the next.
fn length_of(round: &Round, slots: u64, pace: Duration) -> usize {
    duos_of_round(round.duos, saturating_nanoseconds(pace).max(slots), round.preparing)
}

/// The length of the next block; `None` if the round is complete.
fn block_of(length: usize, duos: &[Duo]) -> Option<usize> {
    let left = length - duos.len();
    (left > 0).then_some(left.min(BLOCK))
}

/// A round of functions whose calls are long; `None` if they turn out to be short.
///
/// Half a duo in this order comes first, and counts. It is measured on both clocks at once, because it also
/// decides which clock to use, and how many whole duos follow.
fn long_round(
    instruments: &Instruments<'_>,
    pair: &mut dyn Pair,
    plan: &Plan,
    (round, order): (&Round, Order),
    stopwatch: &Stopwatch<'_>,
) -> Result<Option<Recording>, MeasureError> {
    let long_call = match pair.times_itself() {
        // A part of a shorter call may be fixed.
        true => Duration::from_nanos(LONGEST_FOR_STARTS),
        false => LONG_CALL,
    };
    let attempt = Attempt::first(plan, round.stack_place);
    let choice = Choice::new(attempt.clock, instruments)?;
    let mut chance = attempt.chance_of_warmup();
    let wall = instruments.clocks.wall();
    if round.first_calls < 2 * long_call {
        return Ok(None);
    }
    let both = BothClocks::new(wall, choice.cpu());
    let (activity, start) = (instruments.clocks.activity(), stopwatch());
    let mut first = Sampler::new(&both, pair).half_in(order, &mut chance);
    let shortest = |half: Duo| half.candidate[0].min(half.baseline[0]);
    if Duration::from_nanos(shortest(first)) < long_call || shortest(first) < choice.shortest_slot() {
        return Ok(None);
    }
    let (half, elapsed) = (Duration::from_nanos(first.total()), stopwatch().saturating_sub(start));
    // Preparing takes time as well: once for each duo, or around each slot.
    let pace = elapsed + if pair.has_fresh_inputs() { half } else { elapsed };
    // A fifth of the time of a process is for its slots.
    let length = if round.preparing <= 4 * half { 1 } else { length_of(round, 2 * first.total(), pace) };
    let mut sampler = Sampler::new(wall, pair);
    let (mut clock, mut cost) = (ClockKind::Wall, instruments.wall);
    if let Some((cpu, cost_of_cpu)) = choice.cpu_clock(activity, shortest(first)) {
        (sampler.clock, clock, cost) = (cpu, ClockKind::Cpu, cost_of_cpu);
        first = Duo::half(order, both.cpu_times());
    }
    let warmup = Warmup::new(Samples::default(), 1, clock, cost.resolution);
    let mut warm = Warm { sampler, warmup, cost, pace };
    let mut samples = warm.count(attempt, stopwatch, &mut |duos, _| block_of(length - 1, duos));
    samples.duos.insert(0, first);
    Ok(Some(warm.recording(samples, stopwatch())))
}
