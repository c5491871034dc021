//! Functions that several threads call at the same time: `threads = [1, 4]`.
//!
//! Only here functions, state and inputs have to be `Sync` or `Send`.

mod pair;
mod team;
#[cfg(test)]
mod tests;

use std::hint::black_box;
use std::marker::PhantomData;

use self::pair::Threaded;
use super::batched::{Batched, Source};
use super::passing::{ByMut, ByValue, Passing, WithoutInputs};
use super::{Probe, Settings};
use crate::call::value::{ByCopy, Compared, Duplicate};

/// A [`Probe`] for functions that several threads call, with the same methods.
pub struct ThreadsProbe<'p, 'a> {
    probe: &'p mut Probe<'a>,
}

impl<'p, 'a> ThreadsProbe<'p, 'a> {
    pub(super) fn new(probe: &'p mut Probe<'a>) -> Self {
        Self { probe }
    }

    /// See [`Probe::compare_0`].
    pub fn compare_0<T, V>(
        &mut self,
        candidate: impl Fn() -> T + Sync,
        baseline: impl Fn() -> T + Sync,
        resolve: impl Fn(T) -> Result<V, String> + Sync,
        compare: impl Fn(&V, &V) -> Compared + Sync,
    ) {
        let candidate = || resolve(black_box(candidate()));
        let baseline = || resolve(black_box(baseline()));
        let futures = self.probe.settings.futures;
        let functions = WithoutInputs { candidate, baseline, compare_outputs: compare, futures };
        self.work(&|| (), ByCopy, functions, false);
    }

    /// See [`Probe::compare_1`].
    pub fn compare_1<A, T, V>(
        &mut self,
        candidate: impl Fn(A) -> T + Sync,
        baseline: impl Fn(A) -> T + Sync,
        input: impl Fn() -> A + Sync,
        resolve: impl Fn(T) -> Result<V, String> + Sync,
        compare: impl Fn(&V, &V) -> Compared + Sync,
    ) {
        let candidate = || candidate(black_box(input()));
        let baseline = || baseline(black_box(input()));
        self.compare_0(candidate, baseline, resolve, compare);
    }

    /// See [`Probe::compare_2`].
    pub fn compare_2<S, A, T, V>(
        &mut self,
        candidate: impl Fn(S, A) -> T + Sync,
        baseline: impl Fn(S, A) -> T + Sync,
        state: impl Fn() -> S + Sync,
        input: impl Fn() -> A + Sync,
        resolve: impl Fn(T) -> Result<V, String> + Sync,
        compare: impl Fn(&V, &V) -> Compared + Sync,
    ) {
        let candidate = |input| candidate(black_box(state()), input);
        let baseline = |input| baseline(black_box(state()), input);
        self.compare_1(candidate, baseline, input, resolve, compare);
    }

    /// See [`Probe::by_ref`].
    pub fn by_ref<I>(&mut self, make: impl Fn() -> I, compare: impl Fn(&I, &mut ThreadsProbe<'_, '_>)) {
        self.probe.by_ref(make, |input, probe| compare(input, &mut ThreadsProbe::new(probe)));
    }

    /// See [`Probe::by_value_1`].
    pub fn by_value_1<I: Send, T, V, H: Duplicate<I>>(
        &mut self,
        candidate: impl Fn(I) -> T + Sync,
        baseline: impl Fn(I) -> T + Sync,
        make: impl Fn() -> I,
        how: impl Fn(PhantomData<I>) -> H,
        resolve: impl Fn(T) -> Result<V, String> + Sync,
        compare: impl Fn(&V, &V) -> Compared + Sync,
    ) {
        let candidate = |input| resolve(black_box(candidate(black_box(input))));
        let baseline = |input| resolve(black_box(baseline(black_box(input))));
        let futures = self.probe.settings.futures;
        let functions = ByValue { candidate, baseline, compare_outputs: compare, futures };
        self.work(&make, how(PhantomData), functions, true);
    }

    /// See [`Probe::by_value_2`].
    #[expect(clippy::too_many_arguments, reason = "the types of each one follow from those before it")]
    pub fn by_value_2<S, I: Send, T, V, H: Duplicate<I>>(
        &mut self,
        candidate: impl Fn(S, I) -> T + Sync,
        baseline: impl Fn(S, I) -> T + Sync,
        state: impl Fn() -> S + Sync,
        make: impl Fn() -> I,
        how: impl Fn(PhantomData<I>) -> H,
        resolve: impl Fn(T) -> Result<V, String> + Sync,
        compare: impl Fn(&V, &V) -> Compared + Sync,
    ) {
        let candidate = |input| candidate(black_box(state()), input);
        let baseline = |input| baseline(black_box(state()), input);
        self.by_value_1(candidate, baseline, make, how, resolve, compare);
    }

    /// See [`Probe::by_mut_1`].
    #[expect(clippy::too_many_arguments, reason = "the types of each one follow from those before it")]
    pub fn by_mut_1<I: Send, A: ?Sized, T, V, H: Duplicate<I>>(
        &mut self,
        candidate: impl Fn(&mut A) -> T + Sync,
        baseline: impl Fn(&mut A) -> T + Sync,
        make: impl Fn() -> I,
        how: impl Fn(PhantomData<I>) -> H,
        adapt: impl Fn(&mut I) -> &mut A + Sync,
        resolve: impl Fn(T) -> Result<V, String> + Sync,
        compare: impl Fn(&V, &V) -> Compared + Sync,
        compare_inputs: impl Fn(&I, &I) -> Compared + Sync,
    ) {
        let candidate = |input: &mut I| resolve(black_box(candidate(black_box(adapt(input)))));
        let baseline = |input: &mut I| resolve(black_box(baseline(black_box(adapt(input)))));
        let futures = self.probe.settings.futures;
        let functions = ByMut { candidate, baseline, compare_outputs: compare, compare_inputs, futures };
        self.work(&make, how(PhantomData), functions, true);
    }

    /// See [`Probe::by_mut_2`].
    #[expect(clippy::too_many_arguments, reason = "the types of each one follow from those before it")]
    pub fn by_mut_2<S, I: Send, A: ?Sized, T, V, H: Duplicate<I>>(
        &mut self,
        candidate: impl Fn(S, &mut A) -> T + Sync,
        baseline: impl Fn(S, &mut A) -> T + Sync,
        state: impl Fn() -> S + Sync,
        make: impl Fn() -> I,
        how: impl Fn(PhantomData<I>) -> H,
        adapt: impl Fn(&mut I) -> &mut A + Sync,
        resolve: impl Fn(T) -> Result<V, String> + Sync,
        compare: impl Fn(&V, &V) -> Compared + Sync,
        compare_inputs: impl Fn(&I, &I) -> Compared + Sync,
    ) {
        let candidate = |input: &mut A| candidate(black_box(state()), input);
        let baseline = |input: &mut A| baseline(black_box(state()), input);
        self.by_mut_1(candidate, baseline, make, how, adapt, resolve, compare, compare_inputs);
    }

    fn work<I: Send, V, H: Duplicate<I>>(
        &mut self,
        make: &dyn Fn() -> I,
        how: H,
        functions: impl Passing<I, V> + Sync,
        has_fresh_inputs: bool,
    ) {
        let duplicate = |input: &I| how.duplicate(input);
        let pair = Batched::new(Source::new::<H>(make, &duplicate), functions);
        let Settings { futures, threads } = self.probe.settings;
        (self.probe.work)(&mut Threaded::new(pair, threads, futures, has_fresh_inputs));
    }
}
