//! The gate of a pair in its record, and the difference that it ignores.

use bench_diff_core::{Gate, Ignored, Plan, Zone};

use bench_diff_system::words;

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

    /// The zone that follows from its margin and from what is ignored.
    pub(crate) fn zone(&self, ignored: Option<IgnoredRecord>) -> Option<Zone> {
        let zone = self.gate().zone()?;
        Some(ignored.map_or(zone, |ignored| zone.ignoring(ignored.share)))
    }
}

/// A difference that does not count, and its effect on the verdict.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Serialize)]
pub(crate) struct IgnoredRecord {
    /// The `ignore_below` of the pair, in nanoseconds per call.
    pub(crate) below_ns: f64,
    /// The same as a share of a typical call of the baseline.
    pub(crate) share: f64,
    /// True if the gate alone would have reached another verdict on the same slots.
    pub(crate) decided: bool,
}

impl From<&Ignored> for IgnoredRecord {
    fn from(ignored: &Ignored) -> Self {
        Self { below_ns: ignored.below, share: ignored.share(), decided: ignored.decided }
    }
}

impl IgnoredRecord {
    /// A typical call of the baseline, in nanoseconds.
    pub(crate) fn call(&self) -> f64 {
        self.below_ns / self.share
    }
}
