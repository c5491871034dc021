//! The plans that live benchmarks measure by.

use std::time::Duration;

use bench_diff_core::{Bounds, ClockPolicy, Gate, JudgeKind, OrderPolicy, Plan, Seed, Zone};

/// The plan of a pair without options.
pub(crate) fn gated(seed: u64) -> Plan {
    Plan {
        zone: Gate::MaxSlowdown(0.02).zone(),
        judge: JudgeKind::Sequential,
        alpha: 0.01,
        beta: 0.05,
        slots: 2000,
        max_time: Duration::from_secs(2),
        warmup: Duration::from_millis(50),
        clock: ClockPolicy::Auto,
        control: false,
        order: OrderPolicy::Coin,
        seed: Seed(seed),
    }
}

/// A plan that measures for so long, since its zone is too narrow for any verdict.
pub(crate) fn endless(seed: u64, max_time: Duration) -> Plan {
    let zone = Zone { slower: Bounds { lo: -1e-9, hi: 1e-9 }, faster: None };
    Plan { zone: Some(zone), max_time, ..gated(seed) }
}
