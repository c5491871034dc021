//! Functions that several threads call at the same time: `threads = [1, 4]`.
//!
//! Only here functions, state and inputs have to be `Sync` or `Send`.

mod pair;
mod team;
#[cfg(test)]
mod tests;

use std::hint::black_box;
use std::marker::PhantomData;
use std::ops::Deref;

use self::pair::Threaded;
use super::pair::Alone;
use super::passing::{ByMut, ByValue, Calls, Nothing};
use super::results::{Left, compare_all, compare_outputs};
use super::source::Source;
use super::{Check, Probe, Settings, empty_call};
use crate::call::value::{Compared, Duplicate};

/// A [`Probe`] for functions that several threads call, with the same methods.
pub struct ThreadsProbe<'p, 'a> {
    probe: &'p mut Probe<'a>,
}

/// A state that several threads may borrow.
pub fn shared<'a, S: Sync>(state: &'a S) -> impl Deref<Target = S> + Sync + use<'a, S> {
    state
}

impl<'p, 'a> ThreadsProbe<'p, 'a> {
    pub(super) fn new(probe: &'p mut Probe<'a>) -> Self {
        Self { probe }
    }

    /// See [`Probe::compare_0`].
    pub fn compare_0<V, W>(
        &mut self,
        candidate: impl Fn() -> Result<V, String> + Sync,
        baseline: impl Fn() -> Result<W, String> + Sync,
        compare: impl Fn(&V, &W) -> Compared,
    ) {
        let functions = (candidate, baseline);
        self.work(Nothing, Source::NONE, functions, || (), compare_outputs(compare));
    }

    /// See [`Probe::compare_1`].
    pub fn compare_1<A, V, W>(
        &mut self,
        candidate: impl Fn(A) -> Result<V, String> + Sync,
        baseline: impl Fn(A) -> Result<W, String> + Sync,
        input: impl Fn() -> A + Sync,
        compare: impl Fn(&V, &W) -> Compared,
    ) {
        let functions = (|| candidate(black_box(input())), || baseline(black_box(input())));
        let empty = || drop(black_box(input()));
        self.work(Nothing, Source::NONE, functions, empty, compare_outputs(compare));
    }

    /// See [`Probe::by_ref`].
    pub fn by_ref<I>(&mut self, make: impl Fn() -> I, compare: impl Fn(&I, &mut ThreadsProbe<'_, '_>)) {
        self.probe.by_ref(make, |input, probe| compare(input, &mut ThreadsProbe::new(probe)));
    }

    /// See [`Probe::by_value`].
    pub fn by_value<I: Send, V, W, H: Duplicate<I>>(
        &mut self,
        candidate: impl Fn(I) -> Result<V, String> + Sync,
        baseline: impl Fn(I) -> Result<W, String> + Sync,
        make: impl Fn() -> I,
        how: impl Fn(PhantomData<I>) -> H,
        compare: impl Fn(&V, &W) -> Compared,
    ) {
        let how = how(PhantomData);
        let duplicate = |input: &I| how.duplicate(input);
        let source = Source::new::<H>(&make, &duplicate);
        self.work(ByValue, source, (candidate, baseline), || (), compare_outputs(compare));
    }

    /// See [`Probe::by_mut`].
    #[expect(clippy::too_many_arguments, reason = "the types of each one follow from those before it")]
    pub fn by_mut<I: Send, A: ?Sized, V, W, H: Duplicate<I>>(
        &mut self,
        candidate: impl Fn(&mut A) -> Result<V, String> + Sync,
        baseline: impl Fn(&mut A) -> Result<W, String> + Sync,
        make: impl Fn() -> I,
        how: impl Fn(PhantomData<I>) -> H,
        adapt: impl Fn(&mut I) -> &mut A + Sync,
        compare: impl Fn(&V, &W) -> Compared,
        compare_inputs: impl Fn(&I, &I) -> Compared,
    ) {
        let candidate = |input: &mut I| candidate(black_box(adapt(input)));
        let baseline = |input: &mut I| baseline(black_box(adapt(input)));
        let how = how(PhantomData);
        let duplicate = |input: &I| how.duplicate(input);
        let source = Source::new::<H>(&make, &duplicate);
        let compare = compare_all(compare, compare_inputs);
        self.work(ByMut, source, (candidate, baseline), || (), compare);
    }

    fn work<P, I: Send, C: Sync, B: Sync, V, W>(
        &mut self,
        passing: P,
        source: Source<'_, I>,
        functions: (C, B),
        empty: impl Fn() + Sync,
        compare: impl Fn(&Left<V, I>, &Left<W, I>) -> Result<Check, String>,
    ) where
        P: Calls<C, I, V> + Calls<B, I, W> + Sync,
    {
        let Settings { futures, threads } = self.probe.settings;
        let empty = || {
            empty_call(futures);
            empty();
        };
        let pair = Alone::new(passing, source, functions, empty, compare);
        (self.probe.work)(&mut Threaded::new(pair, threads, futures));
    }
}
