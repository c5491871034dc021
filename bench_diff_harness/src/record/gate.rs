//! What a pair was judged by.

use bench_diff_core::{Gate, Plan};
use serde::Serialize;

/// The gate of a pair and the bounds of its zone, which are logarithms of a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct GateRecord {
    pub(crate) kind: &'static str,
    pub(crate) margin: f64,
    pub(crate) unit: &'static str,
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    pub(crate) lo2: Option<f64>,
    pub(crate) hi2: Option<f64>,
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
}

impl GateRecord {
    pub(super) fn of(gate: Gate, plan: &Plan) -> Option<Self> {
        let zone = plan.zone?;
        Some(Self {
            kind: match gate {
                Gate::MaxSlowdown(_) => "max_slowdown",
                Gate::MinSpeedup(_) => "min_speedup",
                Gate::MaxDifference(_) => "max_difference",
                Gate::ReportOnly => "report_only",
            },
            margin: gate.margin()?,
            unit: "ln",
            lo: zone.slower.lo,
            hi: zone.slower.hi,
            lo2: zone.faster.map(|faster| faster.lo),
            hi2: zone.faster.map(|faster| faster.hi),
            alpha: plan.alpha,
            beta: plan.beta,
        })
    }
}
