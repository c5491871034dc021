//! A whole measurement: calibration, warm-up, and duos until the judge has seen enough.

use std::time::Duration;

use crate::clock::Clock;
use crate::coin::Coin;
use crate::duo::Duo;
use crate::error::MeasureError;
use crate::judge::{self, Judgement, Step};
use crate::plan::Plan;
use crate::sampler::{BLOCK, Sampler};
use crate::slot::Side;

/// The fewest duos of a warm-up, where a duo is shorter than [`LONG_DUO`] and where it is not.
const WARMUP_DUOS: usize = 16;
const LONG_WARMUP_DUOS: usize = 2;

/// A duo from which on a warm-up of many duos is a waste, in nanoseconds.
const LONG_DUO: u64 = 10_000_000;

/// Fewer steps of the clock make a slot unfit to be judged.
const FEWEST_STEPS: u64 = 100;

/// What was measured before anything counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warmup {
    /// The duos of the warm-up, which no verdict uses.
    pub duos: Vec<Duo>,
    /// The calls in every slot, of both functions alike.
    pub iterations: u64,
    /// The smallest step of the clock, in nanoseconds.
    pub resolution: u64,
}

impl Warmup {
    /// The median slot of the warm-up, in nanoseconds; 0 where there was none.
    #[must_use]
    pub fn typical_slot(&self) -> u64 {
        let mut slots: Vec<u64> = self.duos.iter().flat_map(Duo::slots).collect();
        slots.sort_unstable();
        slots.get(slots.len() / 2).copied().unwrap_or(0)
    }
}

/// A finished measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// What was measured before anything counted.
    pub warmup: Warmup,
    /// The counted duos, raw.
    pub duos: Vec<Duo>,
    /// What the judge says of them.
    pub judgement: Judgement,
    /// The time that it all took, warm-up included.
    pub elapsed: Duration,
}

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
    },
}

/// Measures two functions as the plan says and judges them.
///
/// # Errors
///
/// A [`MeasureError`] where the functions are too fast for the clock or a statistic cannot be computed. A panic of
/// one of the functions passes through.
pub fn measure<'a, C: Clock>(
    clock: &C,
    candidate: Side<'a>,
    baseline: Side<'a>,
    plan: &Plan,
    progress: &mut dyn FnMut(Progress),
) -> Result<Measurement, MeasureError> {
    let start = clock.now();
    let mut sampler = Sampler::new(clock, candidate, baseline);
    let warmup = warm_up(clock, &mut sampler, plan, progress)?;

    let mut judge = judge::start(plan, &warmup);
    let mut coin = Coin::new(plan.order, plan.seed);
    let mut duos = Vec::new();
    while let Step::Measure(length) = judge.step(&duos) {
        sampler.block(&mut coin, length, &mut duos);
        progress(Progress::Counting { duos: duos.len() });
    }
    let judgement = judge.judgement(&duos)?;
    let elapsed = Duration::from_nanos(clock.nanoseconds(start, clock.now()));
    Ok(Measurement { warmup, duos, judgement, elapsed })
}

fn warm_up<C: Clock>(
    clock: &C,
    sampler: &mut Sampler<'_, '_, C>,
    plan: &Plan,
    progress: &mut dyn FnMut(Progress),
) -> Result<Warmup, MeasureError> {
    let resolution = clock.resolution();
    let mut coin = Coin::new(plan.order, plan.seed.for_warmup());
    let start = clock.now();
    sampler.calibrate(&mut coin, resolution)?;

    let mut duos = Vec::new();
    let mut shortest = u64::MAX;
    loop {
        sampler.block(&mut coin, 1, &mut duos);
        shortest = shortest.min(duos[duos.len() - 1].total());
        let fewest = if shortest < LONG_DUO { WARMUP_DUOS } else { LONG_WARMUP_DUOS };
        let elapsed = Duration::from_nanos(clock.nanoseconds(start, clock.now()));
        if duos.len() >= fewest && elapsed >= plan.warmup {
            break;
        }
        if duos.len().is_multiple_of(BLOCK) {
            progress(Progress::Warmup { elapsed });
        }
    }
    let warmup = Warmup { duos, iterations: sampler.iterations(), resolution };
    let slot = warmup.typical_slot();
    if slot < FEWEST_STEPS.saturating_mul(resolution) {
        return Err(MeasureError::ClockTooCoarse { slot, resolution });
    }
    Ok(warmup)
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;
    use crate::clock::ManualClock;
    use crate::judge::judge;
    use crate::simulation::{Noise, plan, simulate};

    #[test]
    fn a_warm_up_has_its_duos_and_its_time() {
        let warmup = |latency: f64, warmup| {
            let plan = Plan { exec_count: 4, warmup, ..plan() };
            simulate(&plan, || latency, || latency).unwrap().warmup.duos.len()
        };
        assert_eq!(warmup(20_000.0, Duration::ZERO), 16);
        // 2 duos of calibration and 123 of the warm-up, each 80 us, are the first to last 10 ms.
        assert_eq!(warmup(20_000.0, Duration::from_millis(10)), 123);
        assert_eq!(warmup(100e6, Duration::ZERO), 2, "long functions need no practice");
        assert_eq!(warmup(1e9, Duration::from_secs(3)), 2);
    }

    #[test]
    fn every_execution_counts_and_an_odd_one_is_completed() {
        for (exec_count, duos) in [(2, 1), (3, 2), (10, 5), (50, 25), (99, 50)] {
            let plan = Plan { exec_count, ..plan() };
            assert_eq!(simulate(&plan, || 20e3, || 20e3).unwrap().duos.len(), duos, "{exec_count}");
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
        let (mut candidate, mut baseline) = (call, call);
        let plan = Plan { exec_count: 100, warmup: Duration::from_millis(5), ..plan() };
        measure(
            &clock,
            Side { call: &mut candidate, chores: None },
            Side { call: &mut baseline, chores: None },
            &plan,
            &mut |progress| told.borrow_mut().push((calls.get(), progress)),
        )
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
    fn a_function_that_turns_too_fast_is_no_pass() {
        let calls = Cell::new(0);
        let cached = || {
            calls.set(calls.get() + 1);
            if calls.get() <= 8 { 10_000.0 } else { 40.0 }
        };
        let error = simulate(&plan(), cached, cached).unwrap_err();
        assert_eq!(error, MeasureError::ClockTooCoarse { slot: 40, resolution: 1 });
        assert!(error.to_string().contains("clock too coarse"), "{error}");
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
        let plan = Plan { exec_count: 10, ..plan() };
        let measurement = simulate(&plan, || 20e3, || 20e3).unwrap();
        // 2 duos of calibration, 16 of the warm-up, 5 that count.
        assert_eq!(measurement.elapsed, Duration::from_micros(23 * 80));
    }
}
