//! The `Bencher`, which benchmark functions take as an argument.

use std::fmt;

use bench_diff_harness::front_end::Probe;

use crate::counter::{Counter, IntoCounter};
use crate::work::{AsCountUInt, Counts, Work as _};

/// Takes the function to measure, after the benchmark has prepared what it needs.
///
/// ```ignore
/// #[divan::bench]
/// fn copied(bencher: divan::Bencher) {
///     let numbers: Vec<u64> = (0..100).collect();
///     bencher.bench(|| numbers.clone());
/// }
/// ```
///
/// Inputs are made before a slot of calls is timed, and outputs are dropped after it.
#[must_use = "without a function there is nothing to measure"]
pub struct Bencher<'a, 'b, C = BencherConfig> {
    probe: &'a mut Probe<'b>,
    counts: Counts,
    /// The most inputs to make at a time.
    most_inputs: u64,
    config: C,
}

/// The function that makes the inputs.
pub struct BencherConfig<G = NoInput> {
    make: G,
}

/// Stands for missing inputs.
pub struct NoInput;

impl<C> fmt::Debug for Bencher<'_, '_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bencher").finish_non_exhaustive()
    }
}

impl<'a, 'b> Bencher<'a, 'b> {
    /// Calls a benchmark function with a bencher for this probe.
    pub(crate) fn serve(
        probe: &mut Probe<'_>,
        counts: Counts,
        most_inputs: u64,
        benchmark: impl FnOnce(Bencher<'_, '_>),
    ) {
        benchmark(Bencher { probe, counts, most_inputs, config: BencherConfig { make: NoInput } });
    }

    /// Measures a function on as many threads as the option `threads` says.
    pub fn bench<O, B>(self, benched: B)
    where
        B: Fn() -> O + Sync,
    {
        self.ready().0.on_threads().iter_with_large_drop(benched);
    }

    /// Measures a function on this thread.
    pub fn bench_local<O, B>(self, benched: B)
    where
        B: FnMut() -> O,
    {
        self.ready().0.iter_with_large_drop(benched);
    }

    /// Makes an input for each call, untimed.
    pub fn with_inputs<G>(self, make: G) -> Bencher<'a, 'b, BencherConfig<G>> {
        let Self { probe, counts, most_inputs, .. } = self;
        Bencher { probe, counts, most_inputs, config: BencherConfig { make } }
    }
}

impl<'a, 'b, G> Bencher<'a, 'b, BencherConfig<G>> {
    /// Sets the work of one call.
    pub fn counter<C: IntoCounter>(mut self, counter: C) -> Self {
        self.counts = counter.into_counter().counts().or(self.counts);
        self
    }

    /// Tells the probe the work of a call. Returns the probe, the maker of inputs, and the most inputs to
    /// make at a time.
    fn ready(self) -> (&'a mut Probe<'b>, G, u64) {
        let Counts { bytes, chars, items } = self.counts;
        self.probe.throughput(bytes, items.or(chars));
        (self.probe, self.config.make, self.most_inputs)
    }
}

impl<I, G: FnMut() -> I> Bencher<'_, '_, BencherConfig<G>> {
    /// Sets the work of one call from an input, which is made only for this.
    pub fn input_counter<C, F>(mut self, make_counter: F) -> Self
    where
        F: Fn(&I) -> C + Sync + 'static,
        C: IntoCounter,
    {
        let counter = make_counter(&(self.config.make)());
        self.counter(counter)
    }

    /// Sets the work of one call to the input, which is a number.
    pub fn count_inputs_as<C>(self) -> Self
    where
        C: Counter,
        I: AsCountUInt,
    {
        self.input_counter(|input| C::from(input.as_count()))
    }

    /// Measures a function that takes its input, on as many threads as the option `threads` says.
    pub fn bench_values<O, B>(self, benched: B)
    where
        B: Fn(I) -> O + Sync,
        G: Fn() -> I + Sync,
    {
        let (probe, make, most_inputs) = self.ready();
        probe.on_threads().iter_batched(make, benched, most_inputs);
    }

    /// Measures a function that takes its input, on this thread.
    pub fn bench_local_values<O, B>(self, benched: B)
    where
        B: FnMut(I) -> O,
    {
        let (probe, make, most_inputs) = self.ready();
        probe.iter_batched(make, benched, most_inputs);
    }

    /// Measures a function that borrows its input, on as many threads as the option `threads` says.
    pub fn bench_refs<O, B>(self, benched: B)
    where
        B: Fn(&mut I) -> O + Sync,
        G: Fn() -> I + Sync,
    {
        let (probe, make, most_inputs) = self.ready();
        probe.on_threads().iter_batched_ref(make, benched, most_inputs);
    }

    /// Measures a function that borrows its input, on this thread.
    pub fn bench_local_refs<O, B>(self, benched: B)
    where
        B: FnMut(&mut I) -> O,
    {
        let (probe, make, most_inputs) = self.ready();
        probe.iter_batched_ref(make, benched, most_inputs);
    }
}
