//! The defaults of a pair: those of a plan, and those that depend on the judge.

use std::time::Duration;

use bench_diff_core::{Gate, JudgeKind, Plan};

pub(crate) const GATE: Gate = Gate::MaxSlowdown(MARGIN);
pub(crate) const MARGIN: f64 = 0.02;

pub(crate) fn plan() -> Plan {
    Plan { zone: GATE.zone(), ..Plan::default() }
}

/// The warm-up of a pair with this judge. `welch` keeps the one of the library that it comes from.
pub(crate) fn warmup(judge: JudgeKind) -> Duration {
    match judge {
        JudgeKind::Sequential => plan().warmup,
        JudgeKind::Welch => Duration::from_secs(3),
    }
}
