//! The plain comparison of two loops.

use std::hint::black_box;

use bench_diff_core::Clock;
use bench_diff_core::sample::Closures;
use bench_diff_core::stats::{Moments, StatsError};

use super::LoopPlan;

/// Two loops, compared. Times are nanoseconds, and all differences are those of the first minus the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopComparison {
    turns: u64,
    elapsed_1: f64,
    elapsed_2: f64,
    delta: Moments,
}

impl LoopComparison {
    /// The mean time of the first loop, its overhead included.
    #[must_use]
    pub fn elapsed_1(&self) -> f64 {
        self.elapsed_1
    }

    /// The mean time of the second loop, its overhead included.
    #[must_use]
    pub fn elapsed_2(&self) -> f64 {
        self.elapsed_2
    }

    /// The time of the first loop minus that of the second: the difference of all calls, which is free of
    /// overhead. Positive where the second function is the faster one.
    #[must_use]
    pub fn delta(&self) -> f64 {
        self.delta.mean()
    }

    /// The standard error of [`delta`](Self::delta), from the differences inside the duos.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        standard_error(&self.delta)
    }

    /// The difference of a single call: delta over the turns.
    #[must_use]
    pub fn delta_per_call(&self) -> f64 {
        self.delta() / self.turns as f64
    }

    /// The standard error of [`delta_per_call`](Self::delta_per_call).
    #[must_use]
    pub fn standard_error_per_call(&self) -> f64 {
        self.standard_error() / self.turns as f64
    }

    /// Delta in percent of the first loop: by this many percent the second loop is faster where it is
    /// positive, slower where it is negative.
    ///
    /// The first loop holds overhead, so it is nearer to 0 than the percentage of the functions.
    #[must_use]
    pub fn percent(&self) -> f64 {
        self.delta() / self.elapsed_1 * 100.0
    }
}

/// Measures a loop around each of two functions, in duos ordered by a coin.
///
/// # Errors
///
/// [`StatsError::TooFew`] for fewer than 2 duos.
///
/// # Panics
///
/// If the loops have no turns. A panic of a function passes through.
pub fn compare_loops<R1, R2>(
    clock: &impl Clock,
    plan: &LoopPlan,
    mut f1: impl FnMut() -> R1,
    mut f2: impl FnMut() -> R2,
) -> Result<LoopComparison, StatsError> {
    let mut pair = Closures::new(|| _ = black_box(f1()), || _ = black_box(f2()));
    let loops = plan.measure(clock, &mut pair);
    let mean = |side: usize| loops.iter().map(|times| times[side]).sum::<f64>() / loops.len() as f64;
    let deltas: Vec<f64> = loops.iter().map(|[first, second]| first - second).collect();
    Ok(LoopComparison {
        turns: plan.turns,
        elapsed_1: mean(0),
        elapsed_2: mean(1),
        delta: Moments::of(&deltas)?,
    })
}

/// The standard error of a mean.
pub(super) fn standard_error(moments: &Moments) -> f64 {
    moments.stdev() / (moments.n() as f64).sqrt()
}
