//! What the calls of a slot return.

use std::cell::RefCell;
use std::hint::black_box;
use std::mem::{MaybeUninit, needs_drop, take};

use super::Check;
use crate::call::value::Compared;
use crate::system::text;

/// Room for the outputs of a slot, used by all functions of a pair one after the other.
#[derive(Debug)]
pub(super) struct Results<V> {
    outputs: RefCell<Vec<V>>,
    /// What empty calls return in their place.
    blanks: RefCell<Vec<MaybeUninit<V>>>,
    error: RefCell<Option<String>>,
}

impl<V> Default for Results<V> {
    fn default() -> Self {
        Self { outputs: RefCell::default(), blanks: RefCell::default(), error: RefCell::default() }
    }
}

impl<V> Results<V> {
    /// Whether outputs are worth keeping until the slot is over.
    pub(super) const ARE_KEPT: bool = needs_drop::<V>();

    /// Keeps an output that needs to be dropped, and the first error.
    pub(super) fn keep(&self, function: &str, result: Result<V, String>) {
        match result {
            Ok(output) if Self::ARE_KEPT => self.outputs.borrow_mut().push(output),
            Ok(_) => {}
            Err(error) => self.note(function, &error),
        }
    }

    /// Does with nothing what is done with an output, so that it does not count as the work of a function.
    pub(super) fn keep_nothing(&self) {
        let blank = black_box(MaybeUninit::uninit());
        if Self::ARE_KEPT {
            self.blanks.borrow_mut().push(blank);
        }
    }

    #[cold]
    fn note(&self, function: &str, error: &str) {
        self.error.borrow_mut().get_or_insert_with(|| returned(function, error));
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

    pub(super) fn take_error(&mut self) -> Option<String> {
        take(self.error.get_mut())
    }
}

fn returned(function: &str, error: &str) -> String {
    format!("the {function} returned an error: {}", text::beginning(error))
}

/// Compares what the functions returned in a check and nothing else, or hands on the error of one.
pub(super) fn compare<V>(
    candidate: Result<V, String>,
    baseline: Result<V, String>,
    compare: impl Fn(&V, &V) -> Compared,
) -> Result<Compared, String> {
    let compared = compare_outputs(candidate, baseline, compare)?;
    // Nothing and nothing are equal, which does not say that the functions did the same.
    Ok(if size_of::<V>() == 0 && compared == Compared::Equal { Compared::Unknown } else { compared })
}

/// Compares what the functions returned, where more of what they did is compared.
pub(super) fn compare_outputs<V>(
    candidate: Result<V, String>,
    baseline: Result<V, String>,
    compare: impl Fn(&V, &V) -> Compared,
) -> Result<Compared, String> {
    let candidate = candidate.map_err(|error| returned("candidate", &error))?;
    let baseline = baseline.map_err(|error| returned("baseline", &error))?;
    Ok(compare(&candidate, &baseline))
}

/// What a comparison of `what` means for the check.
pub(super) fn conclude(what: &str, compared: Compared) -> Result<Check, String> {
    match compared {
        Compared::Equal => Ok(Check::Equal),
        Compared::Unknown => Ok(Check::None),
        Compared::Off => Ok(Check::Off),
        Compared::Different([candidate, baseline]) => {
            Err(format!("the {what}\n  candidate: {candidate}\n  baseline:  {baseline}"))
        }
        Compared::LooksAlike(both) => Err(format!("the {what}, but print alike\n  both:      {both}")),
    }
}

pub(super) const OUTPUTS: &str = "outputs differ";
pub(super) const INPUTS: &str = "inputs differ after the call";
