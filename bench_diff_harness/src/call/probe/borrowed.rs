//! An input for every duo, which the functions share.

use bench_diff_core::{Functions, Pair};

use super::{Check, Comparison, Probe, TimedFirst, work_on};

/// Makes an input and has `compare` call a [`Probe`] with functions that may borrow it.
pub(super) struct Borrowed<M, W> {
    make: M,
    compare: W,
    error: Option<String>,
}

impl<M, W> Borrowed<M, W> {
    pub(super) fn new(make: M, compare: W) -> Self {
        Self { make, compare, error: None }
    }
}

impl<M: Fn() -> I, W: Fn(&I, &mut Probe<'_>), I> Borrowed<M, W> {
    /// What `work` makes of the functions that borrow an input.
    fn work_on<T>(&self, work: impl FnMut(&mut dyn Comparison) -> T) -> Option<T> {
        work_on(|probe| (self.compare)(&(self.make)(), probe), work)
    }
}

impl<M: Fn() -> I, W: Fn(&I, &mut Probe<'_>), I> Pair for Borrowed<M, W> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let error = self.work_on(|pair| {
            pair.with_functions(measure);
            pair.take_error()
        });
        self.error = self.error.take().or(error.flatten());
    }

    fn has_fresh_inputs(&self) -> bool {
        true
    }

    fn entries(&self) -> Option<[usize; 2]> {
        self.work_on(|pair| pair.entries()).flatten()
    }
}

impl<M: Fn() -> I, W: Fn(&I, &mut Probe<'_>), I> Comparison for Borrowed<M, W> {
    fn check(&mut self, first: &TimedFirst<'_>) -> Result<Check, String> {
        self.work_on(|pair| pair.check(first)).unwrap_or(Ok(Check::None))
    }

    fn take_error(&mut self) -> Option<String> {
        self.error.take()
    }
}
