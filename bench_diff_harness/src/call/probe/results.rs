//! The outputs of the calls in a slot.

use std::cell::{Cell, RefCell};
use std::hint::black_box;
use std::mem::{MaybeUninit, needs_drop, take};

use bench_diff_core::Call;
use bench_diff_system::text;

use super::Check;
use crate::call::value::Compared;

/// The outputs of one function in a slot.
pub(super) struct Results<V> {
    /// The outputs that need to be dropped.
    outputs: RefCell<Vec<V>>,
    /// Blank outputs that empty calls store.
    blanks: RefCell<Vec<MaybeUninit<V>>>,
    /// The last output, if outputs need no drop, in memory that the compiler has to write to.
    last: Cell<MaybeUninit<V>>,
    error: RefCell<Option<String>>,
}

impl<V> Default for Results<V> {
    fn default() -> Self {
        Self {
            outputs: RefCell::default(),
            blanks: RefCell::default(),
            last: Cell::new(MaybeUninit::uninit()),
            error: RefCell::default(),
        }
    }
}

impl<V> Results<V> {
    /// True if outputs need to be dropped, so that they are kept until the slot is over.
    pub(super) const ARE_KEPT: bool = needs_drop::<V>();

    /// Keeps the output of a call, and the first error.
    #[inline]
    pub(super) fn keep(&self, result: Result<V, String>) {
        match result {
            Ok(output) if Self::ARE_KEPT => self.outputs.borrow_mut().push(output),
            Ok(output) => self.last.set(MaybeUninit::new(output)),
            Err(error) => self.note(error),
        }
    }

    /// Returns the output of one call of `function`.
    pub(super) fn of_call(&self, function: &str, call: &mut dyn Call) -> Result<V, String> {
        self.reserve(1);
        call.call();
        if let Some(error) = self.take_error(function) {
            return Err(error);
        }
        if Self::ARE_KEPT {
            return Ok(self.outputs.borrow_mut().pop().expect("the call has returned"));
        }
        #[expect(unsafe_code, reason = "an `Option` would add work to timed calls")]
        // SAFETY: A call that returns without an error has stored its output there.
        let output = unsafe { self.last.replace(MaybeUninit::uninit()).assume_init() };
        Ok(output)
    }

    /// Stores a blank as [`Self::keep`] stores an output, so that storing is part of the overhead and not of
    /// the function's time.
    pub(super) fn keep_nothing(&self) {
        let blank = black_box(MaybeUninit::uninit());
        if Self::ARE_KEPT {
            self.blanks.borrow_mut().push(blank);
        }
    }

    #[cold]
    fn note(&self, error: String) {
        self.error.borrow_mut().get_or_insert(error);
    }

    pub(super) fn reserve(&self, iterations: u64) {
        if Self::ARE_KEPT {
            let iterations = usize::try_from(iterations).unwrap_or(usize::MAX);
            self.outputs.borrow_mut().reserve(iterations);
            self.blanks.borrow_mut().reserve(iterations);
        }
    }

    pub(super) fn clear(&self) {
        self.outputs.borrow_mut().clear();
        self.blanks.borrow_mut().clear();
    }

    /// Removes and returns the first error of this function, if any.
    pub(super) fn take_error(&self, function: &str) -> Option<String> {
        take(&mut *self.error.borrow_mut()).map(|error| returned(function, &error))
    }
}

fn returned(function: &str, error: &str) -> String {
    format!("the {function} returned an error: {}", text::beginning(error))
}

type CompareInputs<'a, I> = &'a dyn Fn(&I, &I) -> Compared;

/// The comparison of the results of two calls.
pub(super) struct Compare<'a, I, V, W> {
    pub(super) outputs: &'a dyn Fn(&V, &W) -> Compared,
    /// The comparison of inputs, if the functions change them.
    pub(super) inputs: Option<CompareInputs<'a, I>>,
}

impl<I, V, W> Compare<'_, I, V, W> {
    /// Compares the outputs of one call of each function, and the inputs that the calls changed.
    pub(super) fn compare(
        &self,
        (candidate, candidate_input): (&V, Option<I>),
        (baseline, baseline_input): (&W, Option<I>),
    ) -> Result<Check, String> {
        let outputs = (self.outputs)(candidate, baseline);
        let Some(inputs) = self.inputs else {
            // Outputs without content are equal, but that does not prove that the functions did the same.
            let are_nothing = size_of::<V>() + size_of::<W>() == 0;
            let nothing = are_nothing && outputs == Compared::Equal;
            return conclude("outputs differ", if nothing { Compared::Unknown } else { outputs });
        };
        let outputs = conclude("outputs differ", outputs)?;
        let left = candidate_input.zip(baseline_input);
        let inputs = left.map_or(Compared::Off, |(candidate, baseline)| inputs(&candidate, &baseline));
        let inputs = conclude("inputs differ after the call", inputs)?;
        // Outputs without content count as equal here, since such functions do their work on the inputs.
        Ok(match (outputs, inputs) {
            (Check::Off, other) | (other, Check::Off) => other,
            (Check::Equal, Check::Equal) => Check::Equal,
            (Check::None, _) | (_, Check::None) => Check::None,
        })
    }
}

/// Turns the comparison of `what` into a check.
fn conclude(what: &str, compared: Compared) -> Result<Check, String> {
    match compared {
        Compared::Equal => Ok(Check::Equal),
        Compared::Unknown => Ok(Check::None),
        Compared::Off => Ok(Check::Off),
        Compared::Different([candidate, baseline]) => {
            Err(format!("the {what}\n  candidate: {candidate}\n  baseline:  {baseline}"))
        }
    }
}
