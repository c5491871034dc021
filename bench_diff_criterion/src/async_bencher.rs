//! The bencher for routines that return futures.

use crate::async_executor::AsyncExecutor;
use crate::batch_size::BatchSize;
use crate::bencher::Bencher;
use crate::measurement::{Measurement, WallTime};

/// Measures routines that return futures. Setups run on the executor, and so do the calls that make a future.
pub struct AsyncBencher<'a, 'b, A: AsyncExecutor, M: Measurement = WallTime> {
    bencher: &'b mut Bencher<'a, M>,
    runner: A,
}

impl<'a, M: Measurement> Bencher<'a, M> {
    /// Measures routines that return futures. The executor runs each of them to its end.
    pub fn to_async<'b, A: AsyncExecutor>(&'b mut self, runner: A) -> AsyncBencher<'a, 'b, A, M> {
        AsyncBencher { bencher: self, runner }
    }
}

impl<A: AsyncExecutor, M: Measurement> AsyncBencher<'_, '_, A, M> {
    /// Measures a routine, including the drop of its output.
    pub fn iter<O, R: FnMut() -> F, F: Future<Output = O>>(&mut self, mut routine: R) {
        let runner = &self.runner;
        self.bencher.iter(|| runner.block_on(async { routine().await }));
    }

    /// Measures a routine by its own clock: it gets a number of calls, makes them, and returns their time.
    pub fn iter_custom<R: FnMut(u64) -> F, F: Future<Output = M::Value>>(&mut self, mut routine: R) {
        let runner = &self.runner;
        self.bencher.iter_custom(|calls| runner.block_on(async { routine(calls).await }));
    }

    /// Measures a routine without the drop of its output.
    pub fn iter_with_large_drop<O, R: FnMut() -> F, F: Future<Output = O>>(&mut self, mut routine: R) {
        let runner = &self.runner;
        self.bencher.iter_with_large_drop(|| runner.block_on(async { routine().await }));
    }

    /// Measures a routine on inputs that `setup` makes, one before each call.
    pub fn iter_with_setup<I, O, S: FnMut() -> I, R: FnMut(I) -> F, F: Future<Output = O>>(
        &mut self,
        setup: S,
        routine: R,
    ) {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Measures a routine on inputs that `setup` makes.
    pub fn iter_with_large_setup<I, O, S: FnMut() -> I, R: FnMut(I) -> F, F: Future<Output = O>>(
        &mut self,
        setup: S,
        routine: R,
    ) {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }

    /// Measures a routine on inputs that `setup` makes, without the drop of its output.
    pub fn iter_batched<I, O, S: FnMut() -> I, R: FnMut(I) -> F, F: Future<Output = O>>(
        &mut self,
        mut setup: S,
        mut routine: R,
        size: BatchSize,
    ) {
        let runner = &self.runner;
        self.bencher.iter_batched(
            || runner.block_on(async { setup() }),
            |input| runner.block_on(async { routine(input).await }),
            size,
        );
    }

    /// Measures a routine on inputs that `setup` makes, without the drop of its output and of the input.
    pub fn iter_batched_ref<I, O, S: FnMut() -> I, R: FnMut(&mut I) -> F, F: Future<Output = O>>(
        &mut self,
        mut setup: S,
        mut routine: R,
        size: BatchSize,
    ) {
        let runner = &self.runner;
        self.bencher.iter_batched_ref(
            || runner.block_on(async { setup() }),
            |input| runner.block_on(async { routine(input).await }),
            size,
        );
    }
}
