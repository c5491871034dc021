//! A pair whose functions are called in other processes.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use super::clocks::ClocksApart;
use super::turns::{Function, FunctionApart, Turns};
use crate::sample::{Functions, Hooks, LONGEST_FOR_INPUTS, Pair, Side, Turn};

/// The uncounted slots last about this long, in nanoseconds. After that, the traces of the other process in
/// the caches and the predictors are gone.
const UNCOUNTED: f64 = 10_000.0;

/// The most uncounted slots.
const MOST_UNCOUNTED: f64 = 100.0;

/// The traces of the other process don't matter to slots of at least this length, in nanoseconds: all of them
/// count.
const LONG_SLOT: f64 = 10_000_000.0;

/// If slots have at least this length, in nanoseconds, a turn counts one. If they are shorter, it counts the
/// median of several. A slot of a single call always counts by itself, since calls may differ.
const ENOUGH: f64 = 1_000_000.0;

/// Two functions, each called by its process.
pub struct Apart<'a> {
    turns: RefCell<&'a mut dyn Turns>,
    clocks: &'a ClocksApart<'a>,
    functions: [FunctionApart; 2],
    /// The shortest time per call of each function so far, in nanoseconds.
    calls: [Cell<f64>; 2],
    /// The time to make the input of a call, in nanoseconds.
    input: Cell<f64>,
    /// Set if the next turn of a function needs a new input.
    renews: [Cell<bool>; 2],
    /// The calls of the next slot.
    next_iterations: Cell<u64>,
    /// The calls of the longest slot so far.
    longest: Cell<u64>,
    /// The rest of the slot, which has not passed yet.
    rest: Cell<u64>,
}

impl<'a> Apart<'a> {
    /// The functions that these processes have prepared, the candidate first.
    pub fn new(turns: &'a mut dyn Turns, clocks: &'a ClocksApart<'a>, functions: [FunctionApart; 2]) -> Self {
        Self {
            turns: RefCell::new(turns),
            clocks,
            calls: functions.map(|function| Cell::new(function.first_call.as_secs_f64() * 1e9)),
            functions,
            input: Cell::default(),
            renews: Default::default(),
            next_iterations: Cell::default(),
            longest: Cell::default(),
            rest: Cell::default(),
        }
    }

    /// The time of the first calls of both functions.
    #[must_use]
    pub fn first_calls(&self) -> Duration {
        self.functions.iter().map(|function| function.first_call).sum()
    }

    fn is_whole_slot(&self) -> bool {
        self.functions.iter().any(|function| function.is_whole_slot)
    }

    /// The turn with slots of this many calls, the same for both functions.
    fn turn(&self, iterations: u64, is_empty: bool) -> Turn {
        let [candidate, baseline] = self.calls.each_ref().map(|call| call.get() * iterations as f64);
        let (shorter, longer) = (candidate.min(baseline), candidate.max(baseline));
        // Slots may take time that is not in these figures: that of starting, or of preparing calls.
        let takes_more = self.is_whole_slot() || self.times_itself();
        // Every uncounted slot needs new inputs, so there are few of these slots if inputs take long to make.
        let affordable = LONGEST_FOR_INPUTS as f64 / (self.input.get() * iterations as f64).max(1.0);
        let most = affordable.clamp(1.0, MOST_UNCOUNTED);
        let uncounted = match longer >= LONG_SLOT {
            true => 0.0,
            false if takes_more => 1.0,
            false => (UNCOUNTED / shorter.max(1.0)).clamp(1.0, most),
        };
        let is_enough = iterations == 1 || takes_more || longer >= ENOUGH;
        let counted = if is_enough { 1 } else { Turn::MOST_COUNTED };
        Turn { is_empty, iterations, uncounted: uncounted as u64, counted, by_cpu: self.clocks.is_by_cpu() }
    }

    /// Runs the requested slot.
    fn take_turn(&self, function: Function, is_empty: bool) {
        let iterations = self.next_iterations.get();
        self.longest.set(self.longest.get().max(iterations));
        let turn = self.turn(iterations, is_empty);
        let renews = self.renews[function as usize].take();
        let taken = self.turns.borrow_mut().turn(function, turn, renews);
        if let Some(taken) = taken.filter(|_| !is_empty) {
            let call = &self.calls[function as usize];
            call.set(call.get().min(taken.time.wall as f64 / iterations as f64));
        }
        self.rest.set(self.clocks.pass(function, taken));
    }
}

impl Pair for Apart<'_> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let this = &*self;
        if this.has_fresh_inputs() {
            this.renews.iter().for_each(|renews| renews.set(true));
        }
        use Function::{Baseline, Candidate};
        let is_whole_slot = this.is_whole_slot();
        let call = |function, is_empty| move || this.take_turn(function, is_empty);
        let rest = || move || this.clocks.spend(this.rest.take());
        let hooks = |function| Around { apart: this, function };
        let (mut calls, mut rests) = (
            (call(Candidate, false), call(Baseline, false), call(Candidate, true)),
            [rest(), rest(), rest()],
        );
        let mut hooks = [hooks(Candidate), hooks(Baseline), hooks(Candidate)];
        let [of_candidate, of_baseline, of_empty] = &mut hooks;
        let mut sides = [
            Side::with_hooks(&mut calls.0, of_candidate),
            Side::with_hooks(&mut calls.1, of_baseline),
            Side::with_hooks(&mut calls.2, of_empty),
        ];
        if is_whole_slot {
            sides.iter_mut().zip(&mut rests).for_each(|(side, rest)| side.rest = Some(rest));
        }
        let [candidate, baseline, empty] = sides;
        measure(Functions { candidate, baseline: Some(baseline), empty });
    }

    fn has_fresh_inputs(&self) -> bool {
        self.functions.iter().any(|function| function.has_fresh_inputs)
    }

    fn times_itself(&self) -> bool {
        self.functions.iter().any(|function| function.times_itself)
    }

    fn entries(&self) -> Option<[usize; 2]> {
        let [candidate, baseline] = self.functions.map(|function| function.entry);
        candidate.zip(baseline).map(<[usize; 2]>::from)
    }

    /// Addresses in different processes cannot be compared.
    fn is_one_function(&self) -> bool {
        false
    }
}

/// The hooks of a slot. They only note how many calls it has.
struct Around<'p, 'a> {
    apart: &'p Apart<'a>,
    function: Function,
}

impl Around<'_, '_> {
    fn function(&self) -> FunctionApart {
        self.apart.functions[self.function as usize]
    }
}

impl Hooks for Around<'_, '_> {
    /// If the slot is longer than all before, measures the time of its inputs.
    fn make_inputs(&mut self, iterations: u64) {
        if self.function().has_fresh_inputs && iterations > self.apart.longest.get() {
            let time = self.apart.turns.borrow_mut().time_of_inputs(self.function, iterations).unwrap_or(0);
            self.apart.clocks.spend(time);
            // This takes no time if an earlier try left its inputs.
            let input = &self.apart.input;
            input.set(input.get().max(time as f64 / iterations as f64));
        }
    }

    fn make_room(&mut self, iterations: u64) {
        self.apart.next_iterations.set(iterations);
    }

    fn after_slot(&mut self) {}

    fn most_calls(&self) -> u64 {
        self.function().most_calls
    }

    fn needs_room(&self) -> bool {
        self.function().needs_room
    }

    fn note(&self) -> &'static str {
        "it is in another process"
    }
}
