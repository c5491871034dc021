//! The settings of a comparison.

use std::time::Duration;

use bench_diff_core::{OrderPolicy, Seed};

use super::{LatencyUnit, get_warmup_millis};

/// The settings of a comparison, beyond the arguments of [`bench_diff`](crate::bench_diff).
///
/// ```
/// use std::hint::black_box;
/// use std::time::Duration;
/// use bench_diff_original::{DiffPlan, LatencyUnit};
///
/// let sum = |up_to: u64| (0..black_box(up_to)).fold(0, |sum, x| black_box(sum ^ x));
/// let plan = DiffPlan { warmup: Duration::from_millis(1), ..DiffPlan::new(LatencyUnit::Micro, 50) };
/// let out = plan.run(|| sum(5_000), || sum(1_000));
/// assert_eq!(out.n(), 50);
/// assert!(out.ratio_medians_f1_f2() > 2.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiffPlan {
    /// The unit of what is reported.
    pub unit: LatencyUnit,
    /// The executions of each function that count, at least 1.
    pub exec_count: usize,
    /// The time for which the functions run before anything counts; at least 16 duos, or 2 where one takes 10
    /// ms.
    pub warmup: Duration,
    /// The policy by which the order of the duos is drawn.
    pub order: OrderPolicy,
    /// The seed of the coin.
    pub seed: Seed,
}

impl DiffPlan {
    /// A plan of this many executions, after a warm-up of [`get_warmup_millis`], in the order of a coin with
    /// a fresh seed.
    #[must_use]
    pub fn new(unit: LatencyUnit, exec_count: usize) -> Self {
        Self {
            unit,
            exec_count,
            warmup: Duration::from_millis(get_warmup_millis()),
            order: OrderPolicy::Coin,
            seed: Seed::random(),
        }
    }
}
