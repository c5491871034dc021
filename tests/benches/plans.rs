//! The plans that live benchmarks measure by.

use std::time::Duration;

use bench_diff_core::{Bounds, Plan, Seed, Zone};

/// The plan of a pair without options, in one process.
pub(crate) fn gated(seed: u64) -> Plan {
    Plan { max_rounds: None, warmup: Duration::from_millis(50), seed: Seed(seed), ..Plan::default() }
}

/// A plan that measures for so long, since its zone is too narrow for any verdict.
pub(crate) fn endless(seed: u64, max_time: Duration) -> Plan {
    let zone = Zone { slower: Bounds { lo: -1e-9, hi: 1e-9 }, faster: None };
    Plan { zone: Some(zone), max_time, ..gated(seed) }
}
