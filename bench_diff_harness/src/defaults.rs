//! The defaults: this is the one place where they are written.

use std::time::Duration;

use bench_diff_core::{ClockPolicy, Gate, JudgeKind, OrderPolicy};

pub(crate) const GATE: Gate = Gate::MaxSlowdown(MARGIN);
pub(crate) const MARGIN: f64 = 0.02;
pub(crate) const JUDGE: JudgeKind = JudgeKind::Sequential;
pub(crate) const ALPHA: f64 = 0.01;
pub(crate) const BETA: f64 = 0.05;
pub(crate) const MAX_TIME: Duration = Duration::from_secs(2);
pub(crate) const MAX_ROUNDS: usize = 40;
pub(crate) const SLOTS: u64 = 2000;
pub(crate) const CLOCK: ClockPolicy = ClockPolicy::Auto;
pub(crate) const ORDER: OrderPolicy = OrderPolicy::Coin;

/// The warm-up depends on the judge: that of `welch` is the one of the documents that it comes from.
pub(crate) fn warmup(judge: JudgeKind) -> Duration {
    match judge {
        JudgeKind::Sequential => Duration::from_millis(2),
        JudgeKind::Welch => Duration::from_secs(3),
    }
}
