//! The probe that a registered pair receives when it is measured.
//!
//! The pair calls one of the probe's methods, which determines how the two functions get their input: none, a
//! borrowed one, an owned one, or one that they change. Each method makes a [`Comparison`] of the functions.

mod borrowed;
mod call_order;
mod passing;
mod results;
mod routine;
mod single_threaded;
mod source;
#[cfg(test)]
mod tests;
mod threads;

use std::hint::black_box;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use bench_diff_core::Pair;
pub(crate) use bench_diff_report::record::Check;

use self::borrowed::Borrowed;
pub(crate) use self::call_order::FirstCalls;
pub(in crate::call) use self::call_order::call_in;
use self::passing::{ByMut, ByValue, Calls, Given};
use self::results::Compare;
use self::single_threaded::with_pair;
use self::source::Source;
pub use self::threads::shared;
pub(crate) use self::threads::{OnTeam, ThreadsProbe};
use crate::call::value::{Compared, Duplicate, run_nothing, shorten};
use crate::call::work::{Amount, Work};

/// The largest input that is copied for each call instead of being prepared before the slot, in bytes.
const LARGEST_COPY: usize = 64;

/// Passes the two functions of a pair to the code that runs them.
///
/// Each function returns the value to keep and to compare, or the message of an `Err`; `compare` compares two
/// of these values.
pub struct Probe<'a> {
    work: &'a mut dyn FnMut(&mut dyn Comparison),
    settings: Settings,
    /// The work of one call, or the reason why the functions cannot be measured.
    work_of_call: Result<Work, String>,
}

/// The settings by which a pair is measured.
#[derive(Clone, Copy)]
struct Settings {
    /// True if the functions return futures.
    futures: bool,
    /// The number of threads that call them at the same time.
    threads: usize,
    /// The team of one function, if the user set numbers of threads.
    team: Option<OnTeam>,
    /// True if there are two functions. Otherwise the baseline of every method is [`no_baseline`].
    has_baseline: bool,
}

impl Settings {
    /// Two functions in one thread.
    const PLAIN: Self = Self { futures: false, threads: 1, team: None, has_baseline: true };
}

/// Two functions that can be checked and measured.
pub(crate) trait Comparison: Pair {
    /// Calls each function once, one after the other, on equal inputs, and compares the outputs.
    ///
    /// # Errors
    ///
    /// The difference between the outputs, or the `Err` that a function returned.
    fn check(&mut self, first: &FirstCalls<'_>) -> Result<Check, String>;

    /// The first `Err` that a measured call returned, if any did.
    fn take_error(&mut self) -> Option<String>;
}

/// [`Comparison::check`], with the arg in the error message.
pub(crate) fn check(
    pair: &mut dyn Comparison,
    arg: Option<&str>,
    first: &FirstCalls<'_>,
) -> Result<Check, String> {
    pair.check(first).map_err(|mut reason| {
        reason.extend(arg.map(|arg| format!("\n  arg:       {}", shorten(arg))));
        reason
    })
}

/// Applies `work` to the pair that `pair` passes to its probe; `None` if it passes none.
pub(crate) fn work_on<T>(
    pair: impl FnOnce(&mut Probe<'_>),
    mut work: impl FnMut(&mut dyn Comparison) -> T,
) -> Option<T> {
    let mut result = None;
    let work = &mut |comparison: &mut dyn Comparison| result = Some(work(comparison));
    pair(&mut Probe::new(work, Settings::PLAIN));
    result
}

impl<'a> Probe<'a> {
    fn new(work: &'a mut dyn FnMut(&mut dyn Comparison), settings: Settings) -> Self {
        Self { work, settings, work_of_call: Ok(Work::default()) }
    }

    /// Borrows this probe as a new value.
    pub fn reborrow(&mut self) -> Probe<'_> {
        Probe { work: &mut *self.work, work_of_call: self.work_of_call.clone(), ..*self }
    }

    /// Sets whether the functions return futures; if they do, the empty call runs a future as well.
    pub fn futures(&mut self, futures: bool) {
        self.settings.futures = futures;
        if futures {
            // So that the runtime is not created in a slot.
            run_nothing();
        }
    }

    /// Declares that there is no baseline.
    pub fn without_baseline(&mut self) {
        self.settings.has_baseline = false;
    }

    /// Sets what one call works on: `bytes = amount`, `items = amount`. Breaks if the amounts are wrong:
    /// then the caller must not run anything.
    pub fn set_work(&mut self, bytes: Option<Amount>, items: Option<Amount>) -> ControlFlow<()> {
        self.work_of_call = Work::new(bytes, items);
        if self.work_of_call.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Declares that the functions cannot be measured, for this reason. The caller must not run anything
    /// afterwards.
    pub fn refuse(&mut self, reason: impl Into<String>) {
        self.work_of_call = Err(reason.into());
    }

    /// The work of one call.
    ///
    /// # Errors
    ///
    /// The problem with it, or the reason why the functions cannot be measured.
    pub(crate) fn work_of_call(&self) -> Result<Work, String> {
        self.work_of_call.clone()
    }

    /// Sets the number of threads for [`Probe::on_threads`].
    pub(crate) fn set_threads(&mut self, threads: usize, team: Option<OnTeam>) {
        (self.settings.threads, self.settings.team) = (threads, team);
    }

    /// The probe for functions that several threads call at the same time. [`Probe::by_ref`] works with and
    /// without threads.
    pub fn on_threads(&mut self) -> ThreadsProbe<'_, 'a> {
        ThreadsProbe { probe: self }
    }

    /// Functions of one parameter that costs nothing to make.
    pub fn compare_1<A, V, W>(
        &mut self,
        candidate: impl Fn(A) -> Result<V, String>,
        baseline: impl Fn(A) -> Result<W, String>,
        input: impl Fn() -> A,
        compare: impl Fn(&V, &W) -> Compared,
    ) {
        let compare = Compare { outputs: &compare, inputs: None };
        self.run(&Given(input), None, &(candidate, baseline), compare);
    }

    /// Functions that share an input, made for each duo. They and their outputs may borrow it.
    pub fn by_ref<I>(&mut self, make: impl Fn() -> I, compare: impl Fn(&I, &mut Probe<'_>)) {
        let settings = self.settings;
        let with_input = &|work: &mut dyn FnMut(&mut dyn Comparison)| {
            compare(&make(), &mut Probe::new(work, settings));
        };
        (self.work)(&mut Borrowed {
            with_input,
            has_baseline: settings.has_baseline,
            entries: None,
            error: None,
        });
    }

    /// Functions that own their input: a duplicate of the one that is made for each duo, or a newly made one
    /// if `how` cannot duplicate it.
    pub fn by_value<I, V, W, H: Duplicate<I>>(
        &mut self,
        candidate: impl Fn(I) -> Result<V, String>,
        baseline: impl Fn(I) -> Result<W, String>,
        make: impl Fn() -> I,
        how: impl Fn(PhantomData<I>) -> H,
        compare: impl Fn(&V, &W) -> Compared,
    ) {
        let _ = how(PhantomData);
        if H::IS_COPY && size_of::<I>() <= LARGEST_COPY {
            self.by_ref(make, |value, probe| {
                let input = || H::duplicate(value).unwrap_or_else(|| unreachable!("it is `Copy`"));
                probe.compare_1(&candidate, &baseline, input, &compare);
            });
            return;
        }
        let source = Source::new::<H>(&make);
        let compare = Compare { outputs: &compare, inputs: None };
        self.run(&ByValue, Some(source), &(candidate, baseline), compare);
    }

    /// Functions that change an input, fresh for every call. `adapt` turns the input into their argument.
    ///
    /// `compare_inputs` compares the inputs after the calls as well.
    #[expect(clippy::too_many_arguments, reason = "the types of each one follow from those before it")]
    pub fn by_mut<I, A: ?Sized, V, W, H: Duplicate<I>>(
        &mut self,
        candidate: impl Fn(&mut A) -> Result<V, String>,
        baseline: impl Fn(&mut A) -> Result<W, String>,
        make: impl Fn() -> I,
        how: impl Fn(PhantomData<I>) -> H,
        adapt: impl Fn(&mut I) -> &mut A,
        compare: impl Fn(&V, &W) -> Compared,
        compare_inputs: impl Fn(&I, &I) -> Compared,
    ) {
        let _ = how(PhantomData);
        let source = Source::new::<H>(&make);
        let compare = Compare { outputs: &compare, inputs: Some(&compare_inputs) };
        self.run(&ByMut::new(adapt), Some(source), &(candidate, baseline), compare);
    }

    fn run<P, I, C, B, V, W>(
        &mut self,
        passing: &P,
        source: Option<Source<'_, I>>,
        functions: &(C, B),
        compare: Compare<'_, I, V, W>,
    ) where
        P: Calls<C, I, V> + Calls<B, I, W>,
    {
        with_pair(passing, functions, self.settings, source, compare, |pair| (self.work)(pair));
    }
}

/// The baseline of a function without one; it is never called.
///
/// # Errors
///
/// Always.
pub fn no_baseline<V>() -> Result<V, String> {
    Err(String::new())
}

/// The comparison with [`no_baseline`]; it fixes the type of that function's output.
pub fn not_compared<V>(_: &V, _: &V) -> Compared {
    Compared::Off
}

/// The cost of a call of a function that does nothing, except for the call itself. It is inlined, so it is
/// compiled together with the functions.
#[inline]
fn empty_call(futures: bool) {
    if futures {
        run_nothing();
    }
    black_box(());
}
