//! A whole measurement: calibration, warm-up, and duos until the judge has seen enough.

use std::time::Duration;

use crate::clock::{Choice, Clock, ClockKind, Clocks, Instruments};
use crate::coin::Chance;
use crate::duo::Duo;
use crate::error::MeasureError;
use crate::judge::{self, Judgement, Step};
use crate::measurement::{Measurement, Recording};
use crate::pair::Pair;
use crate::plan::Plan;
use crate::sampler::{BLOCK, Sampler, Samples};
use crate::warmup::{LONG_WARMUP_DUOS, Warmup, fewest_duos, is_long, typical_slot, typical_slots};

/// Fewer steps of the clock make a slot unfit to be judged.
const FEWEST_STEPS: u64 = 100;

/// From this ratio on fewer steps do: no gate is as near to it as a tenth.
const MANY_TIMES: u64 = 1000;
const FEWEST_STEPS_OF_MANY_TIMES: u64 = 10;

/// How often the length of slots is looked for: where every core is busy, the first ones last as long as others let them,
/// and the warm-up shows that they were too short.
const CALIBRATIONS: usize = 8;

/// The duos that show how long slots are at the end of a measurement.
const LAST_DUOS: usize = 1024;

/// How far a measurement has come. Reported between blocks, never during one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Warming up.
    Warmup {
        /// The time since the start of the warm-up.
        elapsed: Duration,
    },
    /// Measuring.
    Counting {
        /// The counted duos so far.
        duos: usize,
        /// The time since the first of them.
        elapsed: Duration,
    },
}

/// Measures the functions of a pair as the plan says and judges them.
///
/// The warm-up begins on the wall clock. Where the plan and the functions allow the CPU clock, its second half and all
/// that counts run on that.
///
/// # Errors
///
/// A [`MeasureError`] where the plan asks for a clock that there is not, the functions are too fast for the clock or too
/// slow for the plan, or a statistic cannot be computed. A panic of one of the functions passes through.
///
/// # Panics
///
/// Where alpha, beta or the number of executions is out of the range that [`Plan`] gives it.
pub fn measure(
    instruments: &Instruments<'_, impl Clocks>,
    pair: &mut dyn Pair,
    plan: &Plan,
    progress: &mut dyn FnMut(Progress),
) -> Result<Measurement, MeasureError> {
    plan.assert_in_range();
    let wall = instruments.clocks().wall();
    let start = wall.now();
    let elapsed = || Duration::from_nanos(wall.nanoseconds(start, wall.now()));

    let choice = Choice::new(plan.clock, instruments)?;
    let mut chance = Chance::new(plan.order, plan.seed.for_warmup());
    let mut sampler = Sampler::new(wall, pair);

    // The first half of the warm-up tells which clock fits, the second half runs on it.
    let mut calibrations = 0;
    let (before, first_half) = loop {
        sampler.set_empty_slots(false);
        sampler.calibrate(&mut chance, choice.step())?;
        calibrations += 1;
        sampler.set_empty_slots(true);
        let before = instruments.clocks().activity();
        let mut samples = Samples::default();
        while elapsed() < plan.warmup || samples.duos.len() < fewest_duos(&samples.duos) / 2 {
            sampler.block(&mut chance, 1, &mut samples);
            let was_long = samples.duos.last().is_some_and(|duo| is_long(duo.total()));
            if was_long || samples.duos.len().is_multiple_of(BLOCK) {
                progress(Progress::Warmup { elapsed: elapsed() });
            }
        }
        let is_limited = sampler.limited_by_inputs || sampler.limited_by_other;
        let may_be_longer = calibrations < CALIBRATIONS && !is_limited;
        if !(may_be_longer && are_short(&samples.duos, instruments.wall().resolution)) {
            break (before, samples);
        }
    };
    let limited_by_inputs = sampler.limited_by_inputs;
    let Counted { warmup, samples, control, judgement } =
        match choice.cpu_clock(before, typical_slot(&first_half.duos)) {
            None => {
                let samples = second_half(&mut sampler, &mut chance, first_half);
                let resolution = instruments.wall().resolution;
                let warmup = Warmup::new(samples, sampler.iterations(), ClockKind::Wall, resolution);
                count(sampler, warmup, plan, &elapsed, progress)?
            }
            Some((cpu, cost)) => {
                let mut sampler = sampler.on(cpu);
                let samples = second_half(&mut sampler, &mut chance, Samples::default());
                let warmup = Warmup::new(samples, sampler.iterations(), ClockKind::Cpu, cost.resolution);
                count(sampler, warmup, plan, &elapsed, progress)?
            }
        };
    let Samples { duos, empty } = samples;
    let recording = Recording { warmup, duos, empty, control, limited_by_inputs, elapsed: elapsed() };
    Ok(Measurement::new(plan, recording, judgement))
}

/// Adds half of the fewest duos of a warm-up to those that were measured on the same clock, and at least two.
fn second_half<C: Clock>(
    sampler: &mut Sampler<'_, '_, C>,
    chance: &mut Chance,
    mut samples: Samples,
) -> Samples {
    let first_half = samples.duos.len();
    while samples.duos.len() < LONG_WARMUP_DUOS
        || samples.duos.len() < first_half + fewest_duos(&samples.duos) / 2
    {
        sampler.block(chance, 1, &mut samples);
    }
    samples
}

/// What counts, and what it says.
struct Counted {
    warmup: Warmup,
    samples: Samples,
    control: Vec<Duo>,
    judgement: Judgement,
}

/// Measures duos until the judge has seen enough.
fn count<C: Clock>(
    mut sampler: Sampler<'_, '_, C>,
    warmup: Warmup,
    plan: &Plan,
    elapsed: &dyn Fn() -> Duration,
    progress: &mut dyn FnMut(Progress),
) -> Result<Counted, MeasureError> {
    let limited_by_inputs = sampler.limited_by_inputs;
    refuse_short_slots(&warmup.duos, warmup.resolution, limited_by_inputs)?;
    let mut judge = judge::start(plan, &warmup);
    if let Some(budget) = judge.budget() {
        budget.check(warmup.typical_duo())?;
    }
    sampler.set_empty_slots(warmup.iterations > 1);
    let mut chance = Chance::new(plan.order, plan.seed);
    let mut chance_of_control = Chance::new(plan.order, plan.seed.for_control());
    let (mut samples, mut control) = (Samples::default(), Vec::new());
    let start = elapsed();
    // The time of a control is no time of the pair, whose verdict must not depend on it.
    let mut controlled = Duration::ZERO;
    while let Step::Measure(length) = judge.step(&samples.duos) {
        let spent = (elapsed() - start).saturating_sub(controlled);
        if judge.budget().is_some_and(|budget| budget.is_spent(spent, samples.duos.len())) {
            break;
        }
        sampler.block(&mut chance, length, &mut samples);
        if plan.control {
            let before = elapsed();
            sampler.control_block(&mut chance_of_control, length, &mut control);
            controlled += elapsed() - before;
        }
        progress(Progress::Counting { duos: samples.duos.len(), elapsed: elapsed() - start });
    }
    // A function may have grown faster since the warm-up.
    let last = samples.duos.len().saturating_sub(LAST_DUOS);
    refuse_short_slots(&samples.duos[last..], warmup.resolution, limited_by_inputs)?;
    let judgement = judge.judgement(&samples.duos)?;
    Ok(Counted { warmup, samples, control, judgement })
}

/// Whether a clock of this resolution tells too little of the slots of the faster function.
fn are_short(duos: &[Duo], resolution: u64) -> bool {
    let [shorter, longer] = typical_slots(duos);
    let steps =
        if longer >= shorter.saturating_mul(MANY_TIMES) { FEWEST_STEPS_OF_MANY_TIMES } else { FEWEST_STEPS };
    shorter < steps.saturating_mul(resolution)
}

fn refuse_short_slots(duos: &[Duo], resolution: u64, limited_by_inputs: bool) -> Result<(), MeasureError> {
    if !are_short(duos, resolution) {
        return Ok(());
    }
    let slot = typical_slot(duos);
    Err(if limited_by_inputs {
        MeasureError::InputsTooCostly { slot, resolution }
    } else {
        MeasureError::ClockTooCoarse { slot, resolution }
    })
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;
    use crate::clock::ManualClock;
    use crate::judge::{JudgeKind, judge};
    use crate::pair::Closures;
    use crate::simulation::{Noise, plan, simulate};

    #[test]
    fn a_warm_up_has_its_duos_and_its_time() {
        let warmup = |latency: f64, warmup| {
            let plan = Plan { slots: 4, warmup, ..plan() };
            simulate(&plan, || latency, || latency).unwrap().warmup.duos.len()
        };
        assert_eq!(warmup(20_000.0, Duration::ZERO), 16);
        // 2 duos of calibration and 123 of the first half, each 80 us, are the first to last 10 ms.
        assert_eq!(warmup(20_000.0, Duration::from_millis(10)), 123 + 8);
        assert_eq!(warmup(100e6, Duration::ZERO), 2, "long functions need no practice");
        assert_eq!(warmup(1e9, Duration::from_secs(3)), 2);
    }

    #[test]
    fn every_execution_counts_and_an_odd_one_is_completed() {
        for (slots, duos) in [(2, 1), (3, 2), (10, 5), (50, 25), (99, 50)] {
            let plan = Plan { slots, ..plan() };
            assert_eq!(simulate(&plan, || 20e3, || 20e3).unwrap().duos.len(), duos, "{slots}");
        }
    }

    #[test]
    fn nothing_is_told_while_a_block_is_measured() {
        let (clock, calls) = (ManualClock::new(), Cell::new(0_usize));
        let told = RefCell::new(Vec::new());
        let call = || {
            calls.set(calls.get() + 1);
            clock.advance(Duration::from_micros(20));
        };
        let plan = Plan { slots: 100, warmup: Duration::from_millis(5), ..plan() };
        measure(&Instruments::new(&clock), &mut Closures::new(call, call), &plan, &mut |progress| {
            told.borrow_mut().push((calls.get(), progress));
        })
        .unwrap();
        let told = told.into_inner();
        let counting: Vec<usize> = told
            .iter()
            .filter_map(|(calls, progress)| matches!(progress, Progress::Counting { .. }).then_some(*calls))
            .collect();
        assert_eq!(counting.len(), 7, "50 duos are 6 blocks of 8 and one of 2");
        assert!(counting.windows(2).all(|pair| matches!(pair[1] - pair[0], 32 | 8)), "{counting:?}");
        assert!(told.iter().any(|(_, progress)| matches!(progress, Progress::Warmup { .. })));
    }

    #[test]
    fn a_warm_up_is_told_after_every_long_duo() {
        let told = |latency, warmup| {
            let clock = ManualClock::new();
            let call = || clock.advance(latency);
            let plan = Plan { slots: 4, warmup, ..plan() };
            let mut told = Vec::new();
            measure(&Instruments::new(&clock), &mut Closures::new(call, call), &plan, &mut |progress| {
                told.extend(matches!(progress, Progress::Warmup { .. }).then_some(progress));
            })
            .unwrap();
            told.len()
        };
        assert_eq!(
            told(Duration::from_secs(1), Duration::ZERO),
            1,
            "of two duos the first tells which clock fits"
        );
        // 2 duos of calibration and 3 of the warm-up, each 400 ms.
        assert_eq!(told(Duration::from_millis(100), Duration::from_secs(2)), 3);
        assert_eq!(told(Duration::from_micros(20), Duration::ZERO), 1, "of the first 8");
    }

    #[test]
    fn slots_that_the_warm_up_shows_to_be_short_are_made_longer() {
        for slow_calls in [8, 20] {
            let calls = Cell::new(0);
            let after_a_while = || {
                calls.set(calls.get() + 1);
                if calls.get() <= slow_calls { 10_000.0 } else { 40.0 }
            };
            let measurement = simulate(&plan(), after_a_while, after_a_while).unwrap();
            assert_eq!(measurement.warmup.iterations, 256, "{slow_calls}: the first power of two of 10 us");
            assert!(measurement.duos.iter().all(|duo| duo.total() == 4 * 256 * 40), "{slow_calls}");
        }
    }

    #[test]
    fn a_function_that_turns_too_fast_is_no_pass() {
        for fast_after in [60, 1000] {
            let calls = Cell::new(0);
            let cached = || {
                calls.set(calls.get() + 1);
                if calls.get() <= fast_after { 14_000.0 } else { 30.0 }
            };
            let plan = Plan { judge: JudgeKind::Welch, slots: 10_000, ..plan() };
            let error = simulate(&plan, || 14_000.0, cached).unwrap_err();
            assert_eq!(error, MeasureError::ClockTooCoarse { slot: 30, resolution: 1 });
            assert!(error.to_string().contains("clock too coarse"), "{error}");
        }
    }

    #[test]
    fn stored_duos_are_judged_as_they_were_live() {
        for seed in 1..20 {
            let noise = Noise::new(seed);
            let live = simulate(&plan(), || noise.log_normal(20.3e3, 0.05), || noise.log_normal(20e3, 0.05));
            let live = live.unwrap();
            assert_eq!(judge(&plan(), &live.warmup, &live.duos).unwrap(), live.judgement);
            let mut longer = live.duos.clone();
            longer.extend_from_slice(&live.duos);
            assert_eq!(
                judge(&plan(), &live.warmup, &longer).unwrap(),
                live.judgement,
                "stops where it stopped"
            );
        }
    }

    #[test]
    fn the_coin_of_the_counted_duos_does_not_depend_on_the_warm_up() {
        let orders = |warmup| {
            let plan = Plan { warmup, ..plan() };
            let duos = simulate(&plan, || 20e3, || 20e3).unwrap().duos;
            duos.iter().map(|duo| duo.order).collect::<Vec<_>>()
        };
        assert_eq!(orders(Duration::ZERO), orders(Duration::from_millis(20)));
    }

    #[test]
    fn the_time_of_everything_is_counted() {
        let plan = Plan { slots: 10, ..plan() };
        let measurement = simulate(&plan, || 20e3, || 20e3).unwrap();
        // 2 duos of calibration, 16 of the warm-up, 5 that count.
        assert_eq!(measurement.elapsed, Duration::from_micros(23 * 80));
    }
}
