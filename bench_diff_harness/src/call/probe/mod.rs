//! What a registered pair is handed when its turn comes.
//!
//! A pair says how its two functions are called by the method that it calls here: without an input, with one
//! that they borrow, with one of their own, or with one that they change. Each method makes a [`Comparison`]
//! of them.

mod batch;
mod batched;
mod borrowed;
mod calls;
mod code;
mod first;
mod passing;
mod results;
#[cfg(test)]
mod tests;
mod threads;

use std::hint::black_box;
use std::marker::PhantomData;

use bench_diff_core::Pair;

use self::batched::{Batched, Source};
use self::borrowed::Borrowed;
use self::calls::Calls;
pub(crate) use self::first::{First, TimedFirst};
use self::passing::{ByMut, ByValue};
pub(crate) use self::threads::ThreadsProbe;
use crate::call::value::{Compared, Duplicate, run_nothing};
use crate::call::work::{Amount, Work};

/// The largest input that is copied for each call instead of being prepared before the slot, in bytes.
const LARGEST_COPY: usize = 64;

/// Takes the two functions of a pair to whoever runs them.
///
/// The functions come as they are, so that an error about one of them stands where the user names it.
/// `resolve` turns an output into what is kept and compared, or an `Err` into its message, and `compare`
/// compares two of these.
pub struct Probe<'a> {
    work: &'a mut dyn FnMut(&mut dyn Comparison),
    settings: Settings,
    /// What one call works on, or what is wrong with that.
    work_of_call: Result<Work, String>,
}

/// How a pair is measured.
#[derive(Clone, Copy)]
struct Settings {
    /// Whether the functions return futures.
    futures: bool,
    /// How many threads call them at the same time.
    threads: usize,
}

/// Two functions that can be measured, and checked before.
pub(crate) trait Comparison: Pair {
    /// Calls each function once, one of them before the other, on equal inputs, and compares what comes out.
    ///
    /// # Errors
    ///
    /// What is different, or the `Err` that a function returned.
    fn check(&mut self, first: &TimedFirst<'_>) -> Result<Check, String>;

    /// The first `Err` that a measured call returned, if any did.
    fn take_error(&mut self) -> Option<String>;
}

/// What was compared before a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) enum Check {
    /// The functions return the same.
    Equal,
    /// Nothing: what they return cannot be compared.
    None,
    /// Nothing, as the attribute says.
    Off,
}

impl Check {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::None => "none",
            Self::Off => "off",
        }
    }
}

/// [`Comparison::check`], whose error says for which arg.
pub(crate) fn check(
    pair: &mut dyn Comparison,
    arg: Option<&str>,
    first: &TimedFirst<'_>,
) -> Result<Check, String> {
    pair.check(first).map_err(|reason| match arg {
        Some(arg) => format!("{reason}\n  arg:       {}", crate::call::value::shorten(arg)),
        None => reason,
    })
}

/// What `work` makes of the pair that `pair` brings to its probe; nothing where it brings none.
pub(crate) fn work_on<T>(
    pair: impl FnOnce(&mut Probe<'_>),
    mut work: impl FnMut(&mut dyn Comparison) -> T,
) -> Option<T> {
    let mut result = None;
    let settings = Settings { futures: false, threads: 1 };
    let work = &mut |comparison: &mut dyn Comparison| result = Some(work(comparison));
    pair(&mut Probe { work, settings, work_of_call: Ok(Work::default()) });
    result
}

impl<'a> Probe<'a> {
    /// Says whether the functions return futures, so that the empty call runs one as well.
    pub fn futures(&mut self, futures: bool) {
        self.settings.futures = futures;
        if futures {
            // No slot is to make the runtime.
            run_nothing();
        }
    }

    /// Says what one call works on: `bytes = amount`, `items = amount`. Where it comes back as false, that is
    /// wrong, and nothing is to be run.
    pub fn set_work(&mut self, bytes: Option<Amount>, items: Option<Amount>) -> bool {
        self.work_of_call = Work::new(bytes, items);
        self.work_of_call.is_ok()
    }

    /// What one call works on.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(crate) fn work_of_call(&self) -> Result<Work, String> {
        self.work_of_call.clone()
    }

    /// How many threads [`Probe::on_threads`] means.
    pub(crate) fn set_threads(&mut self, threads: usize) {
        self.settings.threads = threads;
    }

    /// The same for functions that several threads call at the same time.
    pub fn on_threads(&mut self) -> ThreadsProbe<'_, 'a> {
        ThreadsProbe::new(self)
    }

    /// Functions without a parameter.
    pub fn compare_0<T, V>(
        &mut self,
        candidate: impl Fn() -> T,
        baseline: impl Fn() -> T,
        resolve: impl Fn(T) -> Result<V, String>,
        compare: impl Fn(&V, &V) -> Compared,
    ) {
        let candidate = || resolve(black_box(candidate()));
        let baseline = || resolve(black_box(baseline()));
        let futures = self.settings.futures;
        (self.work)(&mut Calls::new(candidate, baseline, || empty_call(futures), compare));
    }

    /// Functions of one parameter, which costs nothing to get.
    pub fn compare_1<A, T, V>(
        &mut self,
        candidate: impl Fn(A) -> T,
        baseline: impl Fn(A) -> T,
        input: impl Fn() -> A,
        resolve: impl Fn(T) -> Result<V, String>,
        compare: impl Fn(&V, &V) -> Compared,
    ) {
        let candidate = || resolve(black_box(candidate(black_box(input()))));
        let baseline = || resolve(black_box(baseline(black_box(input()))));
        let futures = self.settings.futures;
        let empty = || {
            empty_call(futures);
            drop(black_box(input()));
        };
        (self.work)(&mut Calls::new(candidate, baseline, empty, compare));
    }

    /// Functions of a state and one more parameter, which cost nothing to get.
    pub fn compare_2<S, A, T, V>(
        &mut self,
        candidate: impl Fn(S, A) -> T,
        baseline: impl Fn(S, A) -> T,
        state: impl Fn() -> S,
        input: impl Fn() -> A,
        resolve: impl Fn(T) -> Result<V, String>,
        compare: impl Fn(&V, &V) -> Compared,
    ) {
        let candidate = |input| candidate(black_box(state()), input);
        let baseline = |input| baseline(black_box(state()), input);
        self.compare_1(candidate, baseline, input, resolve, compare);
    }

    /// Functions that share an input: one for every duo, which they and their outputs may borrow.
    pub fn by_ref<I>(&mut self, make: impl Fn() -> I, compare: impl Fn(&I, &mut Probe<'_>)) {
        let settings = self.settings;
        (self.work)(&mut Borrowed::new(make, move |input: &I, probe: &mut Probe<'_>| {
            probe.settings = settings;
            compare(input, probe);
        }));
    }

    /// Functions that take an input of their own: a duplicate of the one that is made for every duo, or,
    /// where `how` knows no way to duplicate it, one that is made for the call.
    pub fn by_value_1<I, T, V, H: Duplicate<I>>(
        &mut self,
        candidate: impl Fn(I) -> T,
        baseline: impl Fn(I) -> T,
        make: impl Fn() -> I,
        how: impl Fn(PhantomData<I>) -> H,
        resolve: impl Fn(T) -> Result<V, String>,
        compare: impl Fn(&V, &V) -> Compared,
    ) {
        let how = how(PhantomData);
        if H::IS_COPY && size_of::<I>() <= LARGEST_COPY {
            self.by_ref(make, |value, probe| {
                let input = || how.duplicate(value).unwrap_or_else(|| unreachable!("it is `Copy`"));
                probe.compare_1(&candidate, &baseline, input, &resolve, &compare);
            });
            return;
        }
        let candidate = |input| resolve(black_box(candidate(black_box(input))));
        let baseline = |input| resolve(black_box(baseline(black_box(input))));
        let functions =
            ByValue { candidate, baseline, compare_outputs: compare, futures: self.settings.futures };
        let duplicate = |input: &I| how.duplicate(input);
        (self.work)(&mut Batched::new(Source::new::<H>(&make, &duplicate), functions));
    }

    /// The same for functions of a state and an input.
    #[expect(clippy::too_many_arguments, reason = "the types of each one follow from those before it")]
    pub fn by_value_2<S, I, T, V, H: Duplicate<I>>(
        &mut self,
        candidate: impl Fn(S, I) -> T,
        baseline: impl Fn(S, I) -> T,
        state: impl Fn() -> S,
        make: impl Fn() -> I,
        how: impl Fn(PhantomData<I>) -> H,
        resolve: impl Fn(T) -> Result<V, String>,
        compare: impl Fn(&V, &V) -> Compared,
    ) {
        let candidate = |input| candidate(black_box(state()), input);
        let baseline = |input| baseline(black_box(state()), input);
        self.by_value_1(candidate, baseline, make, how, resolve, compare);
    }

    /// Functions that change an input, a fresh one for every call, of which `adapt` makes what they take.
    ///
    /// The inputs after the call are compared as well, by `compare_inputs`.
    #[expect(clippy::too_many_arguments, reason = "the types of each one follow from those before it")]
    pub fn by_mut_1<I, A: ?Sized, T, V, H: Duplicate<I>>(
        &mut self,
        candidate: impl Fn(&mut A) -> T,
        baseline: impl Fn(&mut A) -> T,
        make: impl Fn() -> I,
        how: impl Fn(PhantomData<I>) -> H,
        adapt: impl Fn(&mut I) -> &mut A,
        resolve: impl Fn(T) -> Result<V, String>,
        compare: impl Fn(&V, &V) -> Compared,
        compare_inputs: impl Fn(&I, &I) -> Compared,
    ) {
        let candidate = |input: &mut I| resolve(black_box(candidate(black_box(adapt(input)))));
        let baseline = |input: &mut I| resolve(black_box(baseline(black_box(adapt(input)))));
        let futures = self.settings.futures;
        let functions = ByMut { candidate, baseline, compare_outputs: compare, compare_inputs, futures };
        let how = how(PhantomData);
        let duplicate = |input: &I| how.duplicate(input);
        (self.work)(&mut Batched::new(Source::new::<H>(&make, &duplicate), functions));
    }

    /// The same for functions of a state and an input.
    #[expect(clippy::too_many_arguments, reason = "the types of each one follow from those before it")]
    pub fn by_mut_2<S, I, A: ?Sized, T, V, H: Duplicate<I>>(
        &mut self,
        candidate: impl Fn(S, &mut A) -> T,
        baseline: impl Fn(S, &mut A) -> T,
        state: impl Fn() -> S,
        make: impl Fn() -> I,
        how: impl Fn(PhantomData<I>) -> H,
        adapt: impl Fn(&mut I) -> &mut A,
        resolve: impl Fn(T) -> Result<V, String>,
        compare: impl Fn(&V, &V) -> Compared,
        compare_inputs: impl Fn(&I, &I) -> Compared,
    ) {
        let candidate = |input: &mut A| candidate(black_box(state()), input);
        let baseline = |input: &mut A| baseline(black_box(state()), input);
        self.by_mut_1(candidate, baseline, make, how, adapt, resolve, compare, compare_inputs);
    }
}

/// What it costs to call a function that does nothing, besides the call. It is compiled where the functions
/// are.
#[inline]
fn empty_call(futures: bool) {
    if futures {
        run_nothing();
    }
    black_box(());
}
