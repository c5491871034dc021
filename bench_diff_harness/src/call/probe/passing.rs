//! The ways in which functions get their inputs out of a batch.

use std::hint::black_box;

use super::batch::Batch;
use super::results::{INPUTS, OUTPUTS, compare, compare_outputs, conclude};
use super::{Check, TimedFirst, empty_call};
use crate::call::value::Compared;

/// Two functions of inputs `I` and outputs `V`, and how an input is passed to them.
///
/// The two calls differ in nothing but the function, so that functions of equal machine code are called by
/// equal machine code.
pub(super) trait Passing<I, V> {
    fn candidate(&self) -> impl Fn(&Batch<I>) -> Result<V, String>;

    fn baseline(&self) -> impl Fn(&Batch<I>) -> Result<V, String>;

    /// What is left of a call where the function does nothing, and the input that it leaves behind.
    fn empty(&self) -> impl Fn(&Batch<I>) -> Option<I>;

    /// Calls both with inputs of their own, one of them first, and compares.
    fn check(&self, of_candidate: I, of_baseline: I, first: &TimedFirst<'_>) -> Result<Check, String>;
}

/// Functions that get what they need by themselves.
pub(super) struct WithoutInputs<C, B, O> {
    pub(super) candidate: C,
    pub(super) baseline: B,
    pub(super) compare_outputs: O,
    pub(super) futures: bool,
}

impl<C, B, O, V> Passing<(), V> for WithoutInputs<C, B, O>
where
    C: Fn() -> Result<V, String>,
    B: Fn() -> Result<V, String>,
    O: Fn(&V, &V) -> Compared,
{
    fn candidate(&self) -> impl Fn(&Batch<()>) -> Result<V, String> {
        let candidate = &self.candidate;
        move |_| candidate()
    }

    fn baseline(&self) -> impl Fn(&Batch<()>) -> Result<V, String> {
        let baseline = &self.baseline;
        move |_| baseline()
    }

    fn empty(&self) -> impl Fn(&Batch<()>) -> Option<()> {
        let futures = self.futures;
        move |_| {
            empty_call(futures);
            None
        }
    }

    fn check(&self, (): (), (): (), first: &TimedFirst<'_>) -> Result<Check, String> {
        let (candidate, baseline) = first.call(&self.candidate, &self.baseline);
        conclude(OUTPUTS, compare(candidate, baseline, &self.compare_outputs)?)
    }
}

/// Functions that take an input for good.
pub(super) struct ByValue<C, B, O> {
    pub(super) candidate: C,
    pub(super) baseline: B,
    pub(super) compare_outputs: O,
    pub(super) futures: bool,
}

impl<C, B, O, I, V> Passing<I, V> for ByValue<C, B, O>
where
    C: Fn(I) -> Result<V, String>,
    B: Fn(I) -> Result<V, String>,
    O: Fn(&V, &V) -> Compared,
{
    fn candidate(&self) -> impl Fn(&Batch<I>) -> Result<V, String> {
        let candidate = &self.candidate;
        move |batch| candidate(batch.take())
    }

    fn baseline(&self) -> impl Fn(&Batch<I>) -> Result<V, String> {
        let baseline = &self.baseline;
        move |batch| baseline(batch.take())
    }

    fn empty(&self) -> impl Fn(&Batch<I>) -> Option<I> {
        let futures = self.futures;
        move |batch| {
            empty_call(futures);
            Some(black_box(batch.take()))
        }
    }

    fn check(&self, of_candidate: I, of_baseline: I, first: &TimedFirst<'_>) -> Result<Check, String> {
        let Self { candidate, baseline, compare_outputs, .. } = self;
        let (candidate, baseline) = first.call(|| candidate(of_candidate), || baseline(of_baseline));
        conclude(OUTPUTS, compare(candidate, baseline, compare_outputs)?)
    }
}

/// Functions that change an input.
pub(super) struct ByMut<C, B, O, N> {
    pub(super) candidate: C,
    pub(super) baseline: B,
    pub(super) compare_outputs: O,
    pub(super) compare_inputs: N,
    pub(super) futures: bool,
}

impl<C, B, O, N, I, V> Passing<I, V> for ByMut<C, B, O, N>
where
    C: Fn(&mut I) -> Result<V, String>,
    B: Fn(&mut I) -> Result<V, String>,
    O: Fn(&V, &V) -> Compared,
    N: Fn(&I, &I) -> Compared,
{
    fn candidate(&self) -> impl Fn(&Batch<I>) -> Result<V, String> {
        let candidate = &self.candidate;
        move |batch| batch.with_next(candidate)
    }

    fn baseline(&self) -> impl Fn(&Batch<I>) -> Result<V, String> {
        let baseline = &self.baseline;
        move |batch| batch.with_next(baseline)
    }

    fn empty(&self) -> impl Fn(&Batch<I>) -> Option<I> {
        let futures = self.futures;
        move |batch| {
            empty_call(futures);
            batch.with_next(|input| _ = black_box(input));
            None
        }
    }

    fn check(
        &self,
        mut of_candidate: I,
        mut of_baseline: I,
        first: &TimedFirst<'_>,
    ) -> Result<Check, String> {
        let Self { candidate, baseline, .. } = self;
        let (candidate, baseline) =
            first.call(|| candidate(&mut of_candidate), || baseline(&mut of_baseline));
        let outputs = conclude(OUTPUTS, compare_outputs(candidate, baseline, &self.compare_outputs)?)?;
        let inputs = conclude(INPUTS, (self.compare_inputs)(&of_candidate, &of_baseline))?;
        // Outputs that are nothing are equal here: what such functions do is in the inputs.
        Ok(match (outputs, inputs) {
            (Check::Off, other) | (other, Check::Off) => other,
            (Check::Equal, Check::Equal) => Check::Equal,
            (Check::None, _) | (_, Check::None) => Check::None,
        })
    }
}
