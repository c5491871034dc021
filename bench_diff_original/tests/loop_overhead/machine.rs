//! A machine on which a loop of n turns takes a + n (l + f), times noise, plus noise.

use std::cell::{Cell, RefCell};

use bench_diff_core::{Clock, Seed};
use bench_diff_original::noise_model::Beta;

/// The costs of the machine and its noise; times in nanoseconds.
#[derive(Clone, Copy)]
pub(crate) struct Costs {
    /// a + n l: what a loop takes besides its calls.
    pub(crate) overhead: f64,
    /// The standard deviation of what is added to a slot.
    pub(crate) jitter: f64,
    /// The standard deviation of ln of what multiplies a slot, drawn anew for each.
    pub(crate) own: f64,
    /// The standard deviation of ln of the factor that drifts: an autoregression from slot to slot with a
    /// coefficient of 0.99.
    pub(crate) shared: f64,
}

impl Costs {
    /// A machine without noise.
    pub(crate) const fn quiet(overhead: f64) -> Self {
        Self { overhead, jitter: 0.0, own: 0.0, shared: 0.0 }
    }
}

pub(crate) struct Machine {
    costs: Costs,
    now: Cell<f64>,
    /// The beginning of the slot that is running.
    slot: Cell<Option<f64>>,
    random: RefCell<Beta>,
    drift: Cell<f64>,
}

impl Machine {
    pub(crate) fn new(costs: Costs, seed: u64) -> Self {
        let random = RefCell::new(Beta::new(1.0, Seed(seed)));
        Self { costs, now: Cell::new(0.0), slot: Cell::new(None), random, drift: Cell::new(0.0) }
    }

    /// A function that takes this many nanoseconds.
    pub(crate) fn function(&self, time: f64) -> impl Fn() + '_ {
        move || self.now.set(self.now.get() + time)
    }

    fn normal(&self) -> f64 {
        self.random.borrow_mut().draw().ln()
    }
}

/// Every other reading ends a slot, which then gets its overhead and its noise.
impl Clock for Machine {
    type Moment = f64;

    fn now(&self) -> f64 {
        match self.slot.take() {
            None => self.slot.set(Some(self.now.get())),
            Some(start) => {
                let Costs { overhead, jitter, own, shared } = self.costs;
                let drift = 0.99 * self.drift.get() + (1.0 - 0.99_f64.powi(2)).sqrt() * self.normal();
                self.drift.set(drift);
                let noise = (shared * drift + own * self.normal()).exp();
                let slot = (self.now.get() - start + overhead) * noise + jitter * self.normal();
                self.now.set(start + slot);
            }
        }
        self.now.get()
    }

    fn nanoseconds(&self, start: f64, end: f64) -> u64 {
        (end - start).round() as u64
    }
}
