//! An input for every duo, which the functions share.

use bench_diff_core::{Functions, Pair};

use super::{Bench, Check, Comparison, First, Probe};

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
    fn run(&self, bench: &mut dyn Bench) {
        (self.compare)(&(self.make)(), &mut Probe::new(bench));
    }
}

impl<M: Fn() -> I, W: Fn(&I, &mut Probe<'_>), I> Pair for Borrowed<M, W> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let mut borrowing = Borrowing { measure, error: None };
        self.run(&mut borrowing);
        self.error = self.error.take().or(borrowing.error);
    }

    fn has_fresh_inputs(&self) -> bool {
        true
    }

    fn is_one_function(&self) -> bool {
        let mut asking = Asking(false);
        self.run(&mut asking);
        asking.0
    }
}

impl<M: Fn() -> I, W: Fn(&I, &mut Probe<'_>), I> Comparison for Borrowed<M, W> {
    fn check(&mut self, first: First) -> Result<Check, String> {
        let mut checking = Checking { first, result: Ok(Check::None) };
        self.run(&mut checking);
        checking.result
    }

    fn take_error(&mut self) -> Option<String> {
        self.error.take()
    }
}

struct Borrowing<'a> {
    measure: &'a mut dyn FnMut(Functions<'_>),
    error: Option<String>,
}

impl Bench for Borrowing<'_> {
    fn run(&mut self, pair: &mut dyn Comparison) {
        pair.with_functions(self.measure);
        self.error = pair.take_error();
    }
}

struct Asking(bool);

impl Bench for Asking {
    fn run(&mut self, pair: &mut dyn Comparison) {
        self.0 = pair.is_one_function();
    }
}

struct Checking {
    first: First,
    result: Result<Check, String>,
}

impl Bench for Checking {
    fn run(&mut self, pair: &mut dyn Comparison) {
        self.result = pair.check(self.first);
    }
}
