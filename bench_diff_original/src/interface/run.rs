//! A comparison: warm-up, blocks of duos of one call a slot, and half a duo where the number is odd.

use std::hint::black_box;
use std::time::Duration;

use bench_diff_core::sample::{BLOCK, Closures, Pair, Sampler, Samples, fewest_warmup_duos, is_long};
use bench_diff_core::stats::median_time;
use bench_diff_core::{Chance, Clock, Duo, InstantClock, SlotClock};

use super::DiffOut;
use super::plan::DiffPlan;

/// The empty slots before the first duo, whose median is what reading the clock and calling nothing cost.
/// Each block adds another one.
const EMPTY_SLOTS: usize = 31;

/// The callbacks of a caller. None is called during a block.
pub(crate) struct Hooks<'a> {
    /// The looks at the warm-up so far, the time that it has taken and the time that it is to take, in
    /// milliseconds.
    pub(crate) warmup_status: &'a mut dyn FnMut(usize, u64, u64),
    /// Called once, before the first execution that counts.
    pub(crate) pre_exec: Box<dyn FnOnce() + 'a>,
    /// The executions of each function that have counted so far.
    pub(crate) exec_status: &'a mut dyn FnMut(usize),
}

impl DiffPlan {
    /// Compares two functions on the wall clock of this machine.
    ///
    /// # Panics
    ///
    /// If [`exec_count`](Self::exec_count) is 0. A panic of a function passes through.
    pub fn run<R1, R2>(&self, f1: impl FnMut() -> R1, f2: impl FnMut() -> R2) -> DiffOut {
        self.run_on(&InstantClock, f1, f2)
    }

    /// Compares two functions on this clock: on a [`ManualClock`](bench_diff_core::ManualClock) that
    /// they move themselves, for one.
    ///
    /// # Panics
    ///
    /// If [`exec_count`](Self::exec_count) is 0. A panic of a function passes through.
    pub fn run_on<R1, R2>(
        &self,
        clock: &impl Clock,
        f1: impl FnMut() -> R1,
        f2: impl FnMut() -> R2,
    ) -> DiffOut {
        run_silently(self, clock, &mut closures(f1, f2))
    }
}

pub(super) fn run_silently(plan: &DiffPlan, clock: &impl Clock, pair: &mut dyn Pair) -> DiffOut {
    let hooks =
        Hooks { warmup_status: &mut |_, _, _| {}, pre_exec: Box::new(|| {}), exec_status: &mut |_| {} };
    run(plan, clock, pair, hooks)
}

pub(crate) fn run(plan: &DiffPlan, clock: &impl Clock, pair: &mut dyn Pair, hooks: Hooks<'_>) -> DiffOut {
    let Hooks { warmup_status, pre_exec, exec_status } = hooks;
    assert!(plan.exec_count > 0, "exec_count is 0: there is nothing to measure");
    let mut sampler = Sampler::new(clock, pair);
    let block = warm_up(&mut sampler, clock, plan, warmup_status);

    let mut chance = Chance::new(plan.order, plan.seed);
    let mut samples = Samples::default();
    sampler.set_empty_slots(true);
    samples.empty.extend((0..EMPTY_SLOTS).map(|_| sampler.empty_slot()));

    pre_exec();
    let duos = plan.exec_count / 2;
    while samples.duos.len() < duos {
        sampler.block(&mut chance, block.min(duos - samples.duos.len()), &mut samples);
        exec_status(2 * samples.duos.len());
    }
    let half = (!plan.exec_count.is_multiple_of(2)).then(|| sampler.half_duo(&mut chance));
    if half.is_some() {
        exec_status(plan.exec_count);
    }
    let overhead = median_time(samples.empty);
    DiffOut::new(plan, clock.resolution(), overhead, samples.duos, half)
}

/// Runs both functions as they will be measured. Returns the duos between two looks: each by itself where
/// they are long.
fn warm_up(
    sampler: &mut Sampler<'_, '_>,
    clock: &dyn SlotClock,
    plan: &DiffPlan,
    status: &mut dyn FnMut(usize, u64, u64),
) -> usize {
    let elapsed = clock.stopwatch();
    let mut chance = Chance::new(plan.order, plan.seed.for_warmup());
    let mut samples = Samples::default();
    let (mut duos, mut looks, mut shortest) = (0, 0, u64::MAX);
    loop {
        samples.duos.clear();
        sampler.block(&mut chance, 1, &mut samples);
        duos += 1;
        shortest = samples.duos.iter().map(Duo::total).fold(shortest, u64::min);

        let elapsed = elapsed();
        let is_over = elapsed >= plan.warmup && duos >= fewest_warmup_duos(shortest);
        if is_over || duos.is_multiple_of(BLOCK) {
            looks += 1;
            status(looks, milliseconds(elapsed), milliseconds(plan.warmup));
        }
        if is_over {
            return if is_long(shortest) { 1 } else { BLOCK };
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// f1 as the candidate and f2 as the baseline, with what they return passed to a black box.
pub(super) fn closures<R1, R2>(mut f1: impl FnMut() -> R1, mut f2: impl FnMut() -> R2) -> impl Pair {
    Closures::new(move || _ = black_box(f1()), move || _ = black_box(f2()))
}
