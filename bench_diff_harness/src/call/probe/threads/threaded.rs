//! A pair whose functions several threads call at the same time.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use bench_diff_core::{Functions, Hooks, Pair, Side};

use super::team::{Function, Step, Team};
use crate::call::probe::single_threaded::{Room, SingleThreaded};
use crate::call::probe::source::{Batch, Source, Supply};
use crate::call::probe::{Check, Comparison, FirstCalls};
use crate::call::value::run_nothing;

/// Makes the calls of a slot in one of the threads.
pub(super) type MakeCalls<'a, I, V, W> = &'a (dyn Fn(Function, u64, &Batch<I>, &Room<V, W>) + Sync);

/// A pair, and the threads that call its functions. Each thread has its own inputs, and drops its own
/// outputs.
pub(super) struct Threaded<'p, 'a, I, V, W> {
    pub(super) pair: &'p mut SingleThreaded<'a, I, V, W>,
    pub(super) call: MakeCalls<'p, I, V, W>,
    /// The inputs of each thread.
    pub(super) inputs: Vec<Mutex<Batch<I>>>,
    /// True if the functions return futures.
    pub(super) futures: bool,
    pub(super) error: OnceLock<String>,
}

impl<I: Send, V, W> Pair for Threaded<'_, '_, I, V, W> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let Self { pair, call, inputs, futures, error } = &*self;
        let supply = pair.source.as_ref().map(Source::supply);
        let is_one_by_one = supply.as_ref().is_some_and(Supply::is_one_by_one);
        let work = |thread: usize| {
            if *futures {
                // So that the runtime of this thread is not created in a slot.
                run_nothing();
            }
            let room = Room::<V, W>::default();
            move |step| match step {
                // The leading thread makes the inputs of all threads.
                Step::Fill(_) => {}
                Step::Prepare(iterations) => room.reserve(iterations),
                Step::Call(function, iterations) => {
                    call(function, iterations, &lock(&inputs[thread]), &room);
                }
                Step::Clear => {
                    room.clear();
                    lock(&inputs[thread]).clear();
                    room.take_error().map(|first| error.set(first));
                }
                Step::Keep => {
                    room.clear();
                    let batch = lock(&inputs[thread]);
                    if is_one_by_one { batch.rewind() } else { batch.clear() }
                }
            }
        };
        let fill = |iterations| {
            if let Some(supply) = &supply {
                inputs.iter().for_each(|batch| lock(batch).fill(iterations, supply));
            }
        };
        let most_calls = Room::<V, W>::most_calls::<I>() / inputs.len() as u64;
        on_team(inputs.len(), &work, Some(&fill), most_calls, pair.has_baseline(), measure);
    }

    fn has_fresh_inputs(&self) -> bool {
        self.pair.has_fresh_inputs()
    }

    fn has_baseline(&self) -> bool {
        self.pair.has_baseline()
    }

    fn entries(&self) -> Option<[usize; 2]> {
        self.pair.entries()
    }
}

impl<I: Send, V, W> Comparison for Threaded<'_, '_, I, V, W> {
    fn check(&mut self, first: &FirstCalls<'_>) -> Result<Check, String> {
        self.pair.check(first)
    }

    fn take_error(&mut self) -> Option<String> {
        self.error.take()
    }
}

/// After a panic, the batch is not used again, so a half-filled one does no harm.
fn lock<I>(batch: &Mutex<Batch<I>>) -> MutexGuard<'_, Batch<I>> {
    batch.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Measures functions that a team of this many threads calls. `fill` makes the inputs of a slot for all
/// threads; without it, each makes its own.
pub(super) fn on_team<W: FnMut(Step)>(
    threads: usize,
    work: &(impl Fn(usize) -> W + Sync),
    fill: Option<&dyn Fn(u64)>,
    most_calls: u64,
    has_baseline: bool,
    measure: &mut dyn FnMut(Functions<'_>),
) {
    Team::with(threads, work, |team| {
        let iterations = Cell::new(0);
        let call = |function| {
            let iterations = &iterations;
            move || team.start(Step::Call(function, iterations.get()))
        };
        let wait = || move || team.wait();
        let lead = |uses_inputs| Lead { team, iterations: &iterations, fill, most_calls, uses_inputs };
        use Function::{Baseline, Candidate, Empty};
        measure(Functions {
            candidate: Side::whole_slot(&mut call(Candidate), &mut wait(), &mut lead(true)),
            baseline: Some(Side::whole_slot(&mut call(Baseline), &mut wait(), &mut lead(true)))
                .filter(|_| has_baseline),
            empty: Side::whole_slot(&mut call(Empty), &mut wait(), &mut lead(false)),
        });
    });
}

/// The work of the leading thread around a slot.
struct Lead<'a, 'c> {
    team: &'a Team<'c>,
    iterations: &'a Cell<u64>,
    /// Makes the inputs of all threads, unless each makes its own.
    fill: Option<&'a dyn Fn(u64)>,
    most_calls: u64,
    /// False for the empty function.
    uses_inputs: bool,
}

impl Hooks for Lead<'_, '_> {
    fn make_inputs(&mut self, iterations: u64) {
        match self.fill {
            Some(fill) => fill(iterations),
            None => self.team.all(Step::Fill(iterations)),
        }
    }

    fn make_room(&mut self, iterations: u64) {
        self.iterations.set(iterations);
        self.team.all(Step::Prepare(iterations));
    }

    fn after_slot(&mut self) {
        self.team.all(if self.uses_inputs { Step::Clear } else { Step::Keep });
    }

    fn after_making(&mut self) {
        self.team.all(Step::Keep);
    }

    fn most_calls(&self) -> u64 {
        self.most_calls
    }

    fn note(&self) -> &'static str {
        "a slot lasts until the last thread is done; inputs and outputs are made and dropped around it, untimed"
    }
}
