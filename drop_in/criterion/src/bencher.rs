//! The `Bencher`, which measures the routine of a benchmark.

use std::time::Duration;

use bench_diff_harness::front_end::Probe;

use crate::batch_size::BatchSize;
use crate::measurement::{Measurement, WallTime};
use crate::wrapper_runner::WrapperRunner;

/// Measures the routine of a benchmark. The benchmark has to call exactly one of the methods.
pub struct Bencher<'a, M: Measurement = WallTime> {
    pub(crate) probe: Probe<'a>,
    pub(crate) measurement: &'a M,
}

#[expect(unsafe_code, reason = "the probe borrows the state of a run, which is not `Send`")]
// SAFETY: what the probe borrows is reached only through this bencher, so one thread at a time has it. Its
// owner, the thread that made the bencher, is inside the benchmark's closure as long as other threads can
// borrow the bencher, and touches nothing of it there: adding a benchmark panics. Nothing of it is tied to a
// thread: clocks, activity, stack, CPU and panics are those of whichever thread measures.
unsafe impl<M: Measurement + Sync> Send for Bencher<'_, M> {}

impl<M: Measurement> Bencher<'_, M> {
    /// Measures a routine, including the drop of its output.
    pub fn iter<O, R: FnMut() -> O>(&mut self, routine: R) {
        self.probe.iter(routine);
    }

    /// Measures a routine by its own clock: it gets a number of calls, makes them, and returns their time.
    pub fn iter_custom<R: FnMut(u64) -> M::Value>(&mut self, mut routine: R) {
        let measurement = self.measurement;
        self.iter_timed(|calls| time_of(measurement, &routine(calls)));
    }

    pub(crate) fn iter_timed(&mut self, routine: impl FnMut(u64) -> Duration) {
        self.probe.iter_custom(routine);
    }

    /// Measures a routine without the drop of its output.
    pub fn iter_with_large_drop<O, R: FnMut() -> O>(&mut self, routine: R) {
        self.probe.iter_with_large_drop(routine);
    }

    /// Measures a routine on inputs that `setup` makes, one before each call.
    pub fn iter_with_setup<I, O, S: FnMut() -> I, R: FnMut(I) -> O>(&mut self, setup: S, routine: R) {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Measures a routine on inputs that `setup` makes.
    pub fn iter_with_large_setup<I, O, S: FnMut() -> I, R: FnMut(I) -> O>(&mut self, setup: S, routine: R) {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }

    /// Measures the part of each call that the call hands to [`WrapperRunner::run`], as criterion2 does. It
    /// reads the clock twice in each call, so the part should take 10 us or more.
    ///
    /// # Panics
    ///
    /// While it is measured, if a call does not run exactly one routine.
    pub fn iter_with_setup_wrapper<R: FnMut(&mut WrapperRunner)>(&mut self, mut call: R) {
        self.iter_timed(|calls| (0..calls).map(|_| WrapperRunner::time_of(&mut call)).sum());
    }

    /// Measures a routine on inputs that `setup` makes, without the drop of its output.
    pub fn iter_batched<I, O, S: FnMut() -> I, R: FnMut(I) -> O>(
        &mut self,
        setup: S,
        routine: R,
        size: BatchSize,
    ) {
        self.probe.iter_batched(setup, routine, size.most_calls());
    }

    /// Measures a routine on inputs that `setup` makes, without the drop of its output and of the input.
    pub fn iter_batched_ref<I, O, S: FnMut() -> I, R: FnMut(&mut I) -> O>(
        &mut self,
        setup: S,
        routine: R,
        size: BatchSize,
    ) {
        self.probe.iter_batched_ref(setup, routine, size.most_calls());
    }
}

/// The time of a value, which is in nanoseconds as for the wall clock.
fn time_of<M: Measurement>(measurement: &M, value: &M::Value) -> Duration {
    Duration::from_nanos(measurement.to_f64(value) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_routine_is_kept() {
        let time = Duration::new(3, 141_592_653);
        assert_eq!(time_of(&WallTime, &time), time);
    }
}
