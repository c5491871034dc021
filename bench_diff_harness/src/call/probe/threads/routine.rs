//! A single function that several threads call at the same time. Each thread makes its own inputs, so only
//! the function and the maker of inputs have to be `Sync`.

use bench_diff_core::{Functions, Pair, repeat};

use super::ThreadsProbe;
use super::team::{Function, Step};
use super::threaded::{MakeCalls, on_team};
use crate::call::probe::passing::{ByMut, ByValue, Calls, Given, timed, timed_empty};
use crate::call::probe::single_threaded::{Room, SingleThreaded, with_routine};
use crate::call::probe::source::{Batch, Source};
use crate::call::probe::{Check, Comparison, FirstCalls, Settings};

/// Returns the steps of a thread, given its number.
type Work<'w> = dyn Fn(usize) -> Box<dyn FnMut(Step) + 'w> + Sync + 'w;

/// Measures a function: gets the number of threads, their steps, the most calls of a slot, and the sampler.
type Measure = fn(usize, &Work<'_>, u64, &mut dyn FnMut(Functions<'_>));

/// Measures a function that a team of threads calls.
///
/// A team uses variables of the harness, so no function whose code can reach a team could be proven
/// unchanged. That is why only the code that sets numbers of threads names the team, and passes this pointer
/// on.
#[derive(Clone, Copy)]
pub(crate) struct OnTeam(Measure);

impl OnTeam {
    pub(crate) const ROUTINE: Self = Self(|threads, work, most_calls, measure| {
        on_team(threads, &work, None, most_calls, false, measure);
    });
}

/// Makes the input of a call in any thread.
type MakeInput<'a, I> = &'a (dyn Fn() -> I + Sync);

impl ThreadsProbe<'_, '_> {
    /// See [`Probe::iter_with_large_drop`](super::Probe::iter_with_large_drop).
    pub fn iter_with_large_drop<V>(&mut self, routine: impl Fn() -> V + Sync) {
        self.run_routine(&Given(|| ()), None, |()| Ok(routine()), u64::MAX);
    }

    /// See [`Probe::iter_batched`](super::Probe::iter_batched).
    pub fn iter_batched<I, V>(
        &mut self,
        setup: impl Fn() -> I + Sync,
        routine: impl Fn(I) -> V + Sync,
        most_calls: u64,
    ) {
        self.run_routine(&ByValue, Some(&setup), |input| Ok(routine(input)), most_calls);
    }

    /// See [`Probe::iter_batched_ref`](super::Probe::iter_batched_ref).
    pub fn iter_batched_ref<I, V>(
        &mut self,
        setup: impl Fn() -> I + Sync,
        routine: impl Fn(&mut I) -> V + Sync,
        most_calls: u64,
    ) {
        let same = ByMut::new(|input: &mut I| input);
        self.run_routine(&same, Some(&setup), |input: &mut I| Ok(routine(input)), most_calls);
    }

    /// Runs a function without a team if there is only one thread. For any number of threads, the function is
    /// compiled into the same call.
    fn run_routine<P, I, F, V>(
        &mut self,
        passing: &P,
        setup: Option<MakeInput<'_, I>>,
        function: F,
        most_calls: u64,
    ) where
        P: Calls<F, I, V> + Sync,
        F: Sync,
    {
        let Settings { threads, team, .. } = self.probe.settings;
        let room = (&Batch::default(), &Room::<V, ()>::default());
        let mut routine = timed(passing, &function, room.0, &room.1.of_candidate);
        let source = setup.map(|setup| Source::made_anew(setup));
        with_routine(passing, room, &mut routine, source, most_calls, |pair| {
            let Some(team) = team.filter(|_| threads > 1) else {
                return (self.probe.work)(pair);
            };
            let call = |called: Function, iterations: u64, batch: &Batch<I>, room: &Room<V, ()>| {
                let outputs = &room.of_candidate;
                match called {
                    Function::Empty => {
                        repeat(&mut timed_empty(passing, false, batch, outputs), iterations);
                    }
                    _ => repeat(&mut timed(passing, &function, batch, outputs), iterations),
                }
            };
            (self.probe.work)(&mut ThreadedRoutine { pair, call: &call, setup, threads, team });
        });
    }
}

/// A function, with the number of threads that call it.
struct ThreadedRoutine<'p, 'a, I, V> {
    pair: &'p mut SingleThreaded<'a, I, V, ()>,
    call: MakeCalls<'p, I, V, ()>,
    setup: Option<MakeInput<'p, I>>,
    threads: usize,
    team: OnTeam,
}

impl<I, V> Pair for ThreadedRoutine<'_, '_, I, V> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let Self { call, setup, threads, team, .. } = *self;
        let work = |_: usize| -> Box<dyn FnMut(Step) + '_> {
            let (batch, room) = (Batch::default(), Room::<V, ()>::default());
            Box::new(move |step| match step {
                Step::Fill(iterations) => {
                    if let Some(setup) = setup {
                        batch.fill(iterations, &Source::made_anew(setup).supply());
                    }
                }
                Step::Prepare(iterations) => room.reserve(iterations),
                Step::Call(function, iterations) => call(function, iterations, &batch, &room),
                Step::Clear => {
                    room.clear();
                    batch.clear();
                }
                Step::Keep => {
                    room.clear();
                    batch.rewind();
                }
            })
        };
        let most_calls = self.pair.most_calls.min(Room::<V, ()>::most_calls::<I>() / threads as u64);
        (team.0)(threads, &work, most_calls, measure);
    }

    fn has_fresh_inputs(&self) -> bool {
        self.pair.has_fresh_inputs()
    }

    fn has_baseline(&self) -> bool {
        false
    }

    fn entries(&self) -> Option<[usize; 2]> {
        self.pair.entries()
    }
}

impl<I, V> Comparison for ThreadedRoutine<'_, '_, I, V> {
    fn check(&mut self, first: &FirstCalls<'_>) -> Result<Check, String> {
        self.pair.check(first)
    }

    fn take_error(&mut self) -> Option<String> {
        None
    }
}
