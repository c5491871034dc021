//! A pair whose functions several threads call at the same time.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use bench_diff_core::{Functions, Hooks, Pair, Side, repeat};

use super::team::{Function, Step, Team};
use crate::call::probe::batch::Batch;
use crate::call::probe::batched::{Batched, MOST_MEMORY};
use crate::call::probe::passing::Passing;
use crate::call::probe::results::Results;
use crate::call::probe::{Check, Comparison, TimedFirst};
use crate::call::value::run_nothing;

/// A pair, and the threads that call its functions: each has inputs of its own, and drops what it is
/// returned.
pub(super) struct Threaded<P, I> {
    pair: P,
    inputs: Vec<Mutex<Batch<I>>>,
    /// Whether the functions return futures.
    futures: bool,
    /// Whether the inputs are worth making anew for every duo.
    has_fresh_inputs: bool,
    error: OnceLock<String>,
}

impl<P, I> Threaded<P, I> {
    pub(super) fn new(pair: P, threads: usize, futures: bool, has_fresh_inputs: bool) -> Self {
        let inputs = (0..threads).map(|_| Mutex::default()).collect();
        Self { pair, inputs, futures, has_fresh_inputs, error: OnceLock::new() }
    }
}

impl<P: Passing<I, V> + Sync, I: Send, V> Pair for Threaded<Batched<'_, P, I, V>, I> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let Self { pair: Batched { source, functions, .. }, inputs, futures, error, .. } = &*self;
        let work = |thread: usize| {
            if *futures {
                // No slot is to make the runtime of this thread.
                run_nothing();
            }
            let (candidate, baseline, empty) =
                (functions.candidate(), functions.baseline(), functions.empty());
            let (mut results, left_behind) = (Results::<V>::default(), Results::<I>::default());
            move |step| match step {
                Step::Prepare(Function::Empty, iterations) => {
                    results.reserve(iterations);
                    left_behind.reserve(iterations);
                }
                Step::Prepare(_, iterations) => results.reserve(iterations),
                Step::Call(function, iterations) => {
                    let batch = &*lock(&inputs[thread]);
                    match function {
                        Function::Candidate => {
                            repeat(&mut || results.keep("candidate", candidate(batch)), iterations);
                        }
                        Function::Baseline => {
                            repeat(&mut || results.keep("baseline", baseline(batch)), iterations);
                        }
                        Function::Empty => repeat(
                            &mut || {
                                if let Some(input) = empty(batch) {
                                    left_behind.keep("", Ok(input));
                                }
                                results.keep_nothing();
                            },
                            iterations,
                        ),
                    }
                }
                Step::Clear => {
                    results.clear();
                    left_behind.clear();
                    lock(&inputs[thread]).clear();
                    results.take_error().map(|first| error.set(first));
                }
            }
        };
        let next = source.supply();
        let fill = |iterations| inputs.iter().for_each(|batch| lock(batch).fill(iterations, &next));
        let room = MOST_MEMORY / (inputs.len() * (size_of::<I>() + size_of::<V>()).max(1)) as u64;
        Team::with(inputs.len(), &work, |team| {
            let iterations = Cell::new(0);
            let call = |function| {
                let iterations = &iterations;
                move || team.start(Step::Call(function, iterations.get()))
            };
            let wait = || move || team.wait();
            let lead = |function| Lead { team, function, iterations: &iterations, fill: &fill, room };
            use Function::{Baseline, Candidate, Empty};
            measure(Functions {
                candidate: Side::whole_slot(&mut call(Candidate), &mut wait(), &mut lead(Candidate)),
                baseline: Side::whole_slot(&mut call(Baseline), &mut wait(), &mut lead(Baseline)),
                empty: Side::whole_slot(&mut call(Empty), &mut wait(), &mut lead(Empty)),
            });
        });
    }

    fn has_fresh_inputs(&self) -> bool {
        self.has_fresh_inputs
    }

    fn is_one_function(&self) -> bool {
        self.pair.is_one_function()
    }
}

impl<P, I> Comparison for Threaded<P, I>
where
    Self: Pair,
    P: Comparison,
{
    fn check(&mut self, first: &TimedFirst<'_>) -> Result<Check, String> {
        self.pair.check(first)
    }

    fn take_error(&mut self) -> Option<String> {
        self.error.take()
    }
}

/// A panic leaves no batch half filled that would be used again.
fn lock<I>(batch: &Mutex<Batch<I>>) -> MutexGuard<'_, Batch<I>> {
    batch.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the leading thread does around a slot.
struct Lead<'a, 'c> {
    team: &'a Team<'c>,
    function: Function,
    iterations: &'a Cell<u64>,
    /// Makes the inputs of all threads.
    fill: &'a dyn Fn(u64),
    room: u64,
}

impl Hooks for Lead<'_, '_> {
    fn make_inputs(&mut self, iterations: u64) {
        (self.fill)(iterations);
    }

    fn make_room(&mut self, iterations: u64) {
        self.iterations.set(iterations);
        self.team.all(Step::Prepare(self.function, iterations));
    }

    fn after_slot(&mut self) {
        self.team.all(Step::Clear);
    }

    fn most_calls(&self) -> u64 {
        self.room
    }

    fn note(&self) -> &'static str {
        "a slot lasts until the last thread is done; inputs and outputs are made and dropped around it, untimed"
    }
}
