//! A shared input for each duo.

use bench_diff_core::{Functions, Pair};

use super::{Check, Comparison, FirstCalls};

/// Passes functions that borrow an input to a closure; the input lives only during that call.
type WithInput<'a> = &'a dyn Fn(&mut dyn FnMut(&mut dyn Comparison));

/// Functions that borrow an input, which is made anew each time they are passed on.
pub(super) struct Borrowed<'a> {
    pub(super) with_input: WithInput<'a>,
    pub(super) has_baseline: bool,
    /// The addresses of both functions, once a check had an input for them.
    pub(super) entries: Option<[usize; 2]>,
    /// The first `Err` that a measured call returned.
    pub(super) error: Option<String>,
}

impl Borrowed<'_> {
    /// Applies `work` to the functions that borrow an input.
    fn work_on<T>(&self, mut work: impl FnMut(&mut dyn Comparison) -> T) -> Option<T> {
        let mut result = None;
        (self.with_input)(&mut |pair| result = Some(work(pair)));
        result
    }
}

impl Pair for Borrowed<'_> {
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

    fn has_baseline(&self) -> bool {
        self.has_baseline
    }

    fn entries(&self) -> Option<[usize; 2]> {
        self.entries.or_else(|| self.work_on(|pair| pair.entries()).flatten())
    }
}

impl Comparison for Borrowed<'_> {
    fn check(&mut self, first: &FirstCalls<'_>) -> Result<Check, String> {
        let checked = self.work_on(|pair| (pair.entries(), pair.check(first)));
        let (entries, check) = checked.unwrap_or((None, Ok(Check::None)));
        self.entries = entries;
        check
    }

    fn take_error(&mut self) -> Option<String> {
        self.error.take()
    }
}
