//! A pair of functions, as the sampler sees it.

use std::hint::black_box;

use super::slot::Side;

/// A candidate and its baseline, with whatever calling them needs.
pub trait Pair {
    /// Lends the functions to `measure`, which calls them. It has to call `measure` exactly once: otherwise a
    /// measurement panics or never ends.
    ///
    /// Anything that the functions borrow, such as an input, needs to live only as long as this call.
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>));

    /// Returns whether every duo gets a new input, so that the functions are lent for one duo at a time.
    fn has_fresh_inputs(&self) -> bool {
        false
    }

    /// Returns whether the time of a slot is what the functions report. A part of it may be fixed, as if they
    /// start threads for every slot.
    fn times_itself(&self) -> bool {
        false
    }

    /// The addresses at which the code of the candidate and the baseline begins, including the code that is
    /// timed around it.
    fn entries(&self) -> Option<[usize; 2]> {
        None
    }

    /// Returns whether there is a baseline. Without one, the measurement is the time of a call.
    fn has_baseline(&self) -> bool {
        true
    }

    /// Returns whether both functions are the same code at one address. Their ratio is then 1, and only one
    /// block of duos is measured.
    fn is_one_function(&self) -> bool {
        self.has_baseline() && self.entries().is_some_and(|[candidate, baseline]| candidate == baseline)
    }
}

/// The functions of a pair, ready to be called.
pub struct Functions<'a> {
    /// The function under test.
    pub candidate: Side<'a>,
    /// The function that it is compared with. Without one, all slots of a duo are the candidate's.
    pub baseline: Option<Side<'a>>,
    /// A call of an empty function.
    pub empty: Side<'a>,
}

impl<'a> Functions<'a> {
    /// The function of a slot: the candidate, or the baseline if there is one.
    pub(super) fn side(&mut self, is_candidate: bool) -> &mut Side<'a> {
        match &mut self.baseline {
            Some(baseline) if !is_candidate => baseline,
            _ => &mut self.candidate,
        }
    }
}

/// A pair of closures without inputs.
///
/// Outputs should pass through [`black_box`]; otherwise the compiler may remove the work.
#[derive(Clone, Copy, Debug)]
pub struct Closures<C, B, E> {
    candidate: C,
    baseline: B,
    empty: E,
}

impl<C: FnMut(), B: FnMut()> Closures<C, B, fn()> {
    /// A candidate and its baseline.
    pub fn new(candidate: C, baseline: B) -> Closures<C, B, impl FnMut()> {
        Closures { candidate, baseline, empty: || black_box(()) }
    }
}

impl<C: FnMut(), B: FnMut(), E: FnMut()> Closures<C, B, E> {
    /// Replaces the empty call by one that passes the inputs and outputs of the functions to a black box, so
    /// that this cost does not count as theirs.
    pub fn with_empty<F: FnMut()>(self, empty: F) -> Closures<C, B, F> {
        Closures { candidate: self.candidate, baseline: self.baseline, empty }
    }
}

impl<C: FnMut(), B: FnMut(), E: FnMut()> Pair for Closures<C, B, E> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        measure(Functions {
            candidate: Side::plain(&mut self.candidate),
            baseline: Some(Side::plain(&mut self.baseline)),
            empty: Side::plain(&mut self.empty),
        });
    }
}
