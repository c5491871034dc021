//! The bencher for routines that return futures.

use std::hint::black_box;
use std::mem::needs_drop;
use std::time::Instant;

use crate::async_executor::AsyncExecutor;
use crate::batch_size::BatchSize;
use crate::bencher::Bencher;
use crate::measurement::{Measurement, WallTime};

/// Measures routines that return futures. Setups run on the executor, and so do the calls that make a future.
/// Inputs and outputs are also dropped there.
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
        let runner = &self.runner;
        let mut call = || runner.block_on(async { routine().await });
        if needs_drop::<O>() {
            self.bencher.iter_with_large_drop(|| Dropped::by(runner, call()));
        } else {
            self.bencher.iter_with_large_drop(call);
        }
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
        let mut make = || runner.block_on(async { setup() });
        let mut call = |input: I| runner.block_on(async { routine(input).await });
        // Inputs may be left over when the measurement ends.
        if needs_drop::<I>() {
            let call = |input: Dropped<'_, A, I>| call(input.into_value());
            batched(self.bencher, runner, || Dropped::by(runner, make()), call, size);
        } else {
            batched(self.bencher, runner, make, call, size);
        }
    }

    /// Measures a routine on inputs that `setup` makes, without the drop of its output and of the input.
    pub fn iter_batched_ref<I, O, S: FnMut() -> I, R: FnMut(&mut I) -> F, F: Future<Output = O>>(
        &mut self,
        mut setup: S,
        mut routine: R,
        size: BatchSize,
    ) {
        let runner = &self.runner;
        let mut make = || runner.block_on(async { setup() });
        let mut call = |input: &mut I| runner.block_on(async { routine(input).await });
        if needs_drop::<I>() {
            let call = |input: &mut Dropped<'_, A, I>| call(input.value());
            batched_ref(self.bencher, runner, || Dropped::by(runner, make()), call, size);
        } else {
            batched_ref(self.bencher, runner, make, call, size);
        }
    }
}

/// [`Bencher::iter_batched`] whose outputs are dropped on the executor.
fn batched<I, O, A: AsyncExecutor, M: Measurement>(
    bencher: &mut Bencher<'_, M>,
    runner: &A,
    setup: impl FnMut() -> I,
    mut routine: impl FnMut(I) -> O,
    size: BatchSize,
) {
    if needs_drop::<O>() {
        bencher.iter_batched(setup, |input| Dropped::by(runner, routine(input)), size);
    } else {
        bencher.iter_batched(setup, routine, size);
    }
}

/// [`Bencher::iter_batched_ref`] whose outputs are dropped on the executor.
fn batched_ref<I, O, A: AsyncExecutor, M: Measurement>(
    bencher: &mut Bencher<'_, M>,
    runner: &A,
    setup: impl FnMut() -> I,
    mut routine: impl FnMut(&mut I) -> O,
    size: BatchSize,
) {
    if needs_drop::<O>() {
        bencher.iter_batched_ref(setup, |input| Dropped::by(runner, routine(input)), size);
    } else {
        bencher.iter_batched_ref(setup, routine, size);
    }
}

/// A value that is dropped on the executor. Its `Drop` may need one: that of a connection may start a task.
///
/// Values that need no drop stay as they are, since outputs that need one are kept until the slot is over.
struct Dropped<'r, A: AsyncExecutor, T> {
    runner: &'r A,
    /// The value, until it is taken out or dropped.
    value: Option<T>,
}

impl<'r, A: AsyncExecutor, T> Dropped<'r, A, T> {
    fn by(runner: &'r A, value: T) -> Self {
        Self { runner, value: Some(value) }
    }

    fn value(&mut self) -> &mut T {
        self.value.as_mut().expect(IS_THERE)
    }

    fn into_value(mut self) -> T {
        self.value.take().expect(IS_THERE)
    }
}

impl<A: AsyncExecutor, T> Drop for Dropped<'_, A, T> {
    fn drop(&mut self) {
        if let Some(value) = self.value.take() {
            self.runner.block_on(async { drop(value) });
        }
    }
}

const IS_THERE: &str = "the value is taken out once";
