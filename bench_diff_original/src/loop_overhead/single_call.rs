//! The time of a single call, by the partition of a loop.

use std::cell::RefCell;
use std::hint::black_box;

use bench_diff_core::Clock;
use bench_diff_core::sample::Closures;
use bench_diff_core::stats::{Moments, StatsError};

use super::LoopPlan;
use super::comparison::standard_error;

/// The time of a single call, in nanoseconds, by the partition and by the plain loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingleCall {
    partition: Moments,
    plain: Moments,
}

impl SingleCall {
    /// The time of a call by the partition: that of a loop which calls twice a turn, minus that of one which
    /// calls once, over the turns. Noise can make it negative.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.partition.mean()
    }

    /// The standard error of [`time`](Self::time), from the differences inside the duos.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        standard_error(&self.partition)
    }

    /// The time of a turn of the plain loop, which calls once: of a call and of the overhead.
    #[must_use]
    pub fn plain(&self) -> f64 {
        self.plain.mean()
    }

    /// The standard error of [`plain`](Self::plain).
    #[must_use]
    pub fn plain_standard_error(&self) -> f64 {
        standard_error(&self.plain)
    }

    /// The overhead of a turn: what the plain loop takes besides the call.
    #[must_use]
    pub fn overhead(&self) -> f64 {
        self.plain() - self.time()
    }
}

/// Times a single call of a function: loops that call it once a turn and loops that call it twice, in duos
/// ordered by a coin.
///
/// The [module](self::super)'s documentation tells what the partition is worth.
///
/// ```
/// use std::hint::black_box;
/// use bench_diff_original::loop_overhead::{LoopPlan, time_single_call};
/// use bench_diff_core::{InstantClock, Seed};
///
/// let plan = LoopPlan { turns: 1_000, duos: 50, seed: Seed(1) };
/// let call = time_single_call(&InstantClock, &plan, || black_box(2.0_f64).atan2(black_box(3.0)))?;
/// println!("{:.2} +- {:.2} ns, {:.2} ns in a loop", call.time(), call.standard_error(), call.plain());
/// # Ok::<(), bench_diff_core::stats::StatsError>(())
/// ```
///
/// # Errors
///
/// [`StatsError::TooFew`] for fewer than 2 duos.
///
/// # Panics
///
/// If the loops have no turns. A panic of the function passes through.
pub fn time_single_call<R>(
    clock: &impl Clock,
    plan: &LoopPlan,
    f: impl FnMut() -> R,
) -> Result<SingleCall, StatsError> {
    // Both loops borrow the function once a turn, which is overhead as the rest of it.
    let f = RefCell::new(f);
    let twice = || {
        let f = &mut *f.borrow_mut();
        black_box(f());
        black_box(f());
    };
    let once = || {
        let f = &mut *f.borrow_mut();
        black_box(f());
    };
    let loops = plan.measure(clock, &mut Closures::new(twice, once));
    let of_loops = |figure: &dyn Fn([f64; 2]) -> f64| {
        let figures = loops.iter().map(|times| figure(*times) / plan.turns as f64);
        Moments::of(&figures.collect::<Vec<_>>())
    };
    Ok(SingleCall {
        partition: of_loops(&|[twice, once]| twice - once)?,
        plain: of_loops(&|[_, once]| once)?,
    })
}
