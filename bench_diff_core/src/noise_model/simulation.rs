//! The model, measured: by the sampler of this crate on a manual clock, and by the traditional method.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use super::{Beta, ModelFunction, NoiseModel};
use crate::clock::{Clock, ManualClock};
use crate::coin::{OrderPolicy, Seed};
use crate::compat::run::{self, Hooks};
use crate::compat::{DiffOut, DiffPlan, LatencyUnit};
use crate::pair::Closures;

/// Compares the functions of a model in duos, `exec_count` executions of each, with the sampler that measures real ones.
///
/// t is 0 at the first execution that counts, after a warm-up of as few duos as there can be. Latencies are in
/// milliseconds.
///
/// # Panics
///
/// If `exec_count` is 0.
#[must_use]
pub fn simulate_duos(model: &NoiseModel, exec_count: usize, order: OrderPolicy, seed: Seed) -> DiffOut {
    let machine = Machine::new(model, seed);
    let mut pair = Closures::new(|| _ = machine.execute(model.f1), || _ = machine.execute(model.f2));
    let plan = DiffPlan { unit: LatencyUnit::Milli, exec_count, warmup: Duration::ZERO, order, seed };
    let hooks = Hooks {
        warmup_status: &mut |_, _, _| {},
        pre_exec: &mut || machine.start.set(machine.clock.now()),
        exec_status: &mut |_| {},
    };
    run::run(&plan, &machine.clock, &mut pair, hooks)
}

/// Measures the functions of a model as a tool does that knows one function at a time: `exec_count` executions of f1, then
/// as many of f2.
///
/// # Panics
///
/// If `exec_count` is 0.
#[must_use]
pub fn simulate_traditional(model: &NoiseModel, exec_count: usize, seed: Seed) -> Traditional {
    assert!(exec_count > 0, "exec_count is 0: there is nothing to measure");
    let machine = Machine::new(model, seed);
    let mean = |function| {
        let total: f64 = (0..exec_count).map(|_| machine.execute(function)).sum();
        total / exec_count as f64
    };
    let [mean_f1, mean_f2] = [model.f1, model.f2].map(mean);
    Traditional { mean_f1, mean_f2, elapsed: machine.time() }
}

/// What the traditional method measured, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traditional {
    /// The mean latency of f1.
    pub mean_f1: f64,
    /// The mean latency of f2.
    pub mean_f2: f64,
    /// The time that it took.
    pub elapsed: f64,
}

impl Traditional {
    /// The mean latency of f1 over that of f2.
    #[must_use]
    pub fn ratio_of_means(&self) -> f64 {
        self.mean_f1 / self.mean_f2
    }
}

/// A machine on which an execution takes as long as the model says.
struct Machine<'m> {
    model: &'m NoiseModel,
    clock: ManualClock,
    /// Where the clock stood at t = 0.
    start: Cell<u64>,
    /// Of sigma 1: a beta of sigma s is that to the power of s.
    beta: RefCell<Beta>,
}

impl<'m> Machine<'m> {
    fn new(model: &'m NoiseModel, seed: Seed) -> Self {
        let beta = RefCell::new(Beta::new(1.0, seed));
        Self { model, clock: ManualClock::new(), start: Cell::new(0), beta }
    }

    fn time(&self) -> f64 {
        self.clock.nanoseconds(self.start.get(), self.clock.now()) as f64 * 1e-6
    }

    /// Executes a function and returns its latency.
    fn execute(&self, function: ModelFunction) -> f64 {
        let beta = self.beta.borrow_mut().draw().powf(function.sigma);
        let latency = function.lambda * self.model.alpha.at(self.time()) * beta;
        self.clock.advance(Duration::from_secs_f64(latency * 1e-3));
        latency
    }
}
