//! The bencher for routines that return futures.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::async_executor::AsyncExecutor;
use crate::batch_size::BatchSize;
use crate::bencher::Bencher;
use crate::measurement::{Measurement, WallTime};

/// Measures routines that return futures. Setups also run on the executor, where inputs and outputs are
/// dropped.
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
        // Entering an executor may take longer than a future, and would hide how much slower that is.
        self.bencher.iter_timed(|calls| {
            runner.block_on(async {
                let start = Instant::now();
                for _ in 0..calls {
                    drop(black_box(routine().await));
                }
                start.elapsed()
            })
        });
    }

    /// Measures a routine by its own clock: it gets a number of calls, makes them, and returns their time.
    pub fn iter_custom<R: FnMut(u64) -> F, F: Future<Output = M::Value>>(&mut self, mut routine: R) {
        let runner = &self.runner;
        self.bencher.iter_custom(|calls| runner.block_on(async { routine(calls).await }));
    }

    /// Measures a routine without the drop of its output.
    pub fn iter_with_large_drop<O, R: FnMut() -> F, F: Future<Output = O>>(&mut self, mut routine: R) {
        self.iter_batched(|| (), |()| routine(), BatchSize::SmallInput);
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
        self.batches(size, async |calls| {
            let inputs: Vec<I> = black_box((0..calls).map(|_| setup()).collect());
            let mut outputs = Vec::with_capacity(inputs.len());
            let start = Instant::now();
            for input in inputs {
                outputs.push(routine(input).await);
            }
            let time = start.elapsed();
            drop(black_box(outputs));
            time
        });
    }

    /// Measures a routine on inputs that `setup` makes, without the drop of its output and of the input.
    pub fn iter_batched_ref<I, O, S: FnMut() -> I, R: FnMut(&mut I) -> F, F: Future<Output = O>>(
        &mut self,
        mut setup: S,
        mut routine: R,
        size: BatchSize,
    ) {
        self.batches(size, async |calls| {
            let mut inputs: Vec<I> = black_box((0..calls).map(|_| setup()).collect());
            let mut outputs = Vec::with_capacity(inputs.len());
            let start = Instant::now();
            for input in &mut inputs {
                outputs.push(routine(input).await);
            }
            let time = start.elapsed();
            drop(black_box(outputs));
            time
        });
    }

    /// Measures calls in batches of this size. `batch` gets a number of calls, makes them, and returns their
    /// time. The executor is entered once for all batches, as in [`iter`](Self::iter).
    fn batches(&mut self, size: BatchSize, mut batch: impl AsyncFnMut(u64) -> Duration) {
        let runner = &self.runner;
        self.bencher.iter_timed(|calls| {
            runner.block_on(async {
                let (mut left, mut time) = (calls, Duration::ZERO);
                while left > 0 {
                    let calls = left.min(size.most_calls());
                    time += batch(calls).await;
                    left -= calls;
                }
                time
            })
        });
    }
}
