//! The model, measured: by the sampler of this crate on a manual clock, and by the traditional method.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use bench_diff_core::sample::Closures;
use bench_diff_core::{Clock, ManualClock, OrderPolicy, Seed};

use super::{Beta, ModelFunction, NoiseModel};
use crate::interface::run::{self, Hooks};
use crate::interface::{DiffOut, DiffPlan, LatencyUnit};

/// The longest execution, in milliseconds: 31 years.
const LONGEST: f64 = 1e12;

/// Compares the functions of a model in duos, `exec_count` executions of each, with the sampler that measures
/// real ones.
///
/// t is 0 at the first execution that counts, after a warm-up of as few duos as there can be. Latencies are
/// in milliseconds.
///
/// # Panics
///
/// If `exec_count` is 0, a lambda is not above 0, a sigma is below 0, either is not finite, or all together
/// give an execution of more than 1e12 ms.
#[must_use]
pub fn simulate_duos(model: &NoiseModel, exec_count: usize, order: OrderPolicy, seed: Seed) -> DiffOut {
    let machine = Machine::new(model, seed);
    let mut pair = Closures::new(|| _ = machine.execute(model.f1), || _ = machine.execute(model.f2));
    let plan = DiffPlan { unit: LatencyUnit::Milli, exec_count, warmup: Duration::ZERO, order, seed };
    let hooks = Hooks {
        warmup_status: &mut |_, _, _| {},
        pre_exec: Box::new(|| machine.start.set(machine.clock.now())),
        exec_status: &mut |_| {},
    };
    run::run(&plan, &machine.clock, &mut pair, hooks)
}

/// Measures the functions of a model as a tool does that knows one function at a time: `exec_count`
/// executions of f1, then as many of f2.
///
/// # Panics
///
/// If `exec_count` is 0, a lambda is not above 0, a sigma is below 0, either is not finite, or all together
/// give an execution of more than 1e12 ms.
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

/// The measurement of the traditional method, in milliseconds.
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
    /// The reading of the clock at t = 0.
    start: Cell<u64>,
    /// Draws with a sigma of 1: a beta of sigma s is such a draw to the power of s.
    beta: RefCell<Beta>,
}

impl<'m> Machine<'m> {
    fn new(model: &'m NoiseModel, seed: Seed) -> Self {
        for ModelFunction { lambda, sigma } in [model.f1, model.f2] {
            assert!(
                lambda > 0.0 && lambda.is_finite(),
                "lambda is {lambda}: it has to be above 0 and finite"
            );
            assert!(
                sigma >= 0.0 && sigma.is_finite(),
                "sigma is {sigma}: it has to be at least 0 and finite"
            );
        }
        let beta = RefCell::new(Beta::new(1.0, seed));
        Self { model, clock: ManualClock::new(), start: Cell::new(0), beta }
    }

    fn time(&self) -> f64 {
        self.clock.nanoseconds(self.start.get(), self.clock.now()) as f64 * 1e-6
    }

    /// Executes a function and returns its latency.
    fn execute(&self, function: ModelFunction) -> f64 {
        let beta = self.beta.borrow_mut().draw().powf(function.sigma);
        let alpha = self.model.alpha.at(self.time());
        let latency = function.lambda * alpha * beta;
        assert!(
            (0.0..=LONGEST).contains(&latency),
            "an execution of {latency} ms, where up to {LONGEST:e} are possible: lambda is {}, alpha {alpha}, sigma {}",
            function.lambda,
            function.sigma
        );
        self.clock.advance(Duration::from_secs_f64(latency * 1e-3));
        latency
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;
    use crate::noise_model::Alpha;

    /// Asserts that neither method measures these functions, and that the message says so.
    fn assert_refused(lambda: f64, sigma: f64, message: &str) {
        let good = ModelFunction { lambda: 12.0, sigma: 0.28 };
        for (f1, f2) in [(ModelFunction { lambda, sigma }, good), (good, ModelFunction { lambda, sigma })] {
            let model = || NoiseModel { f1, f2, alpha: Alpha::constant() };
            let duos = catch_unwind(|| _ = simulate_duos(&model(), 10, OrderPolicy::Coin, Seed(1)));
            let traditional = catch_unwind(|| _ = simulate_traditional(&model(), 10, Seed(1)));
            for outcome in [duos, traditional] {
                let panic = outcome.expect_err("it is refused");
                let actual = panic.downcast::<String>().expect("a message with numbers");
                assert!(actual.contains(message), "{actual}");
            }
        }
    }

    #[test]
    fn functions_that_are_none_are_refused_by_name() {
        for lambda in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_refused(lambda, 0.28, "lambda is ");
        }
        for sigma in [-0.1, f64::NAN, f64::INFINITY] {
            assert_refused(12.0, sigma, "sigma is ");
        }
        assert_refused(1e300, 0.28, "lambda is 1000");
        assert_refused(12.0, 1e6, "sigma 1000000");
    }
}
