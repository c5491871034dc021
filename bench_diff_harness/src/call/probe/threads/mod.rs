//! Functions that several threads call at the same time: `threads = [1, 4]`.
//!
//! Only for these, functions, state and inputs have to be `Sync` or `Send`.

mod routine;
mod team;
#[cfg(test)]
mod tests;
mod threaded;

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::{Mutex, OnceLock};

use bench_diff_core::{Call, repeat};

pub(crate) use self::routine::OnTeam;
use self::team::Function;
use self::threaded::Threaded;
use super::passing::{ByMut, ByValue, Calls, Given, timed, timed_empty};
use super::results::Compare;
use super::single_threaded::{Room, with_pair};
use super::source::{Batch, Source};
use super::{Probe, Settings};
use crate::call::value::{Compared, Duplicate};

/// A [`Probe`] for functions that several threads call; see [`Probe::on_threads`].
pub struct ThreadsProbe<'p, 'a> {
    pub(super) probe: &'p mut Probe<'a>,
}

/// A state that several threads may borrow.
pub fn shared<'a, S: Sync>(state: &'a S) -> impl Deref<Target = S> + Sync + use<'a, S> {
    state
}

impl ThreadsProbe<'_, '_> {
    /// See [`Probe::compare_1`].
    pub fn compare_1<A, V, W>(
        &mut self,
        candidate: impl Fn(A) -> Result<V, String> + Sync,
        baseline: impl Fn(A) -> Result<W, String> + Sync,
        input: impl Fn() -> A + Sync,
        compare: impl Fn(&V, &W) -> Compared,
    ) {
        let compare = Compare { outputs: &compare, inputs: None };
        self.run(&Given(input), None, &(candidate, baseline), compare);
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
        let _ = how(PhantomData);
        let compare = Compare { outputs: &compare, inputs: None };
        self.run(&ByValue, Some(Source::new::<H>(&make)), &(candidate, baseline), compare);
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
        let _ = how(PhantomData);
        let compare = Compare { outputs: &compare, inputs: Some(&compare_inputs) };
        self.run(&ByMut::new(adapt), Some(Source::new::<H>(&make)), &(candidate, baseline), compare);
    }

    fn run<P, I: Send, C: Sync, B: Sync, V, W>(
        &mut self,
        passing: &P,
        source: Option<Source<'_, I>>,
        functions: &(C, B),
        compare: Compare<'_, I, V, W>,
    ) where
        P: Calls<C, I, V> + Calls<B, I, W> + Sync,
    {
        let settings = self.probe.settings;
        let Settings { futures, threads, .. } = settings;
        let call = |function: Function, iterations: u64, batch: &Batch<I>, room: &Room<V, W>| {
            let calls: [&mut dyn Call; 3] = [
                &mut timed(passing, &functions.0, batch, &room.of_candidate),
                &mut timed(passing, &functions.1, batch, &room.of_baseline),
                &mut timed_empty(passing, futures, batch, &room.of_baseline),
            ];
            repeat(calls[function as usize], iterations);
        };
        with_pair(passing, functions, settings, source, compare, |pair| {
            let inputs = (0..threads).map(|_| Mutex::default()).collect();
            (self.probe.work)(&mut Threaded { pair, call: &call, inputs, futures, error: OnceLock::new() });
        });
    }
}
