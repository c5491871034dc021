//! The gate of a pair in its record.

use bench_diff_core::{Gate, Plan, Zone};

use crate::system::words::words;

words! {
    /// The promise of a gate, by the name of its option.
    pub(crate) enum GateKind {
        MaxSlowdown = "max_slowdown",
        MinSpeedup = "min_speedup",
        MaxDifference = "max_difference",
    }
}

impl GateKind {
    /// `None` for [`Gate::ReportOnly`].
    pub(crate) fn of(gate: Gate) -> Option<Self> {
        match gate {
            Gate::MaxSlowdown(_) => Some(Self::MaxSlowdown),
            Gate::MinSpeedup(_) => Some(Self::MinSpeedup),
            Gate::MaxDifference(_) => Some(Self::MaxDifference),
            Gate::ReportOnly => None,
        }
    }

    /// The gate of this kind with this margin.
    pub(crate) fn with(self, margin: f64) -> Gate {
        match self {
            Self::MaxSlowdown => Gate::MaxSlowdown(margin),
            Self::MinSpeedup => Gate::MinSpeedup(margin),
            Self::MaxDifference => Gate::MaxDifference(margin),
        }
    }
}

/// The gate of a pair and the bounds of its zone, which are logarithms of a ratio.
#[derive(Clone, Debug, PartialEq, miniserde::Serialize)]
pub(crate) struct GateRecord {
    pub(crate) kind: GateKind,
    pub(crate) margin: f64,
    /// The unit of the bounds: `ln`, the logarithm of a ratio.
    pub(crate) unit: String,
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    pub(crate) lo2: Option<f64>,
    pub(crate) hi2: Option<f64>,
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
}

impl GateRecord {
    pub(crate) fn of(gate: Gate, plan: &Plan) -> Option<Self> {
        let unbounded = Self {
            kind: GateKind::of(gate)?,
            margin: gate.margin()?,
            unit: "ln".to_owned(),
            lo: 0.0,
            hi: 0.0,
            lo2: None,
            hi2: None,
            alpha: plan.alpha,
            beta: plan.beta,
        };
        Some(unbounded.with_bounds(plan.zone?))
    }

    /// Sets the bounds to those of this zone, which the verdict is about.
    pub(crate) fn with_bounds(self, zone: Zone) -> Self {
        Self {
            lo: zone.slower.lo,
            hi: zone.slower.hi,
            lo2: zone.faster.map(|faster| faster.lo),
            hi2: zone.faster.map(|faster| faster.hi),
            ..self
        }
    }

    /// The gate of this record.
    pub(crate) fn gate(&self) -> Gate {
        self.kind.with(self.margin)
    }
}
