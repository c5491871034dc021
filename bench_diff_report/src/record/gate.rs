//! The gate of a pair in its record, and the difference that it ignores.

use bench_diff_core::{Bounds, Gate, Ignored, Plan, Zone};
use bench_diff_system::words;

words! {
    /// The promise of a gate, by the name of its option.
    pub enum GateKind {
        /// The candidate is at most this share slower.
        MaxSlowdown = "max_slowdown",
        /// The candidate is at least this many times faster.
        MinSpeedup = "min_speedup",
        /// The candidate is at most this share slower or faster.
        MaxDifference = "max_difference",
    }
}

impl GateKind {
    /// The kind of a gate, and its margin; `None` for [`Gate::ReportOnly`].
    pub fn of(gate: Gate) -> Option<(Self, f64)> {
        match gate {
            Gate::MaxSlowdown(margin) => Some((Self::MaxSlowdown, margin)),
            Gate::MinSpeedup(margin) => Some((Self::MinSpeedup, margin)),
            Gate::MaxDifference(margin) => Some((Self::MaxDifference, margin)),
            Gate::ReportOnly => None,
        }
    }

    /// The gate of this kind with this margin.
    pub fn with(self, margin: f64) -> Gate {
        match self {
            Self::MaxSlowdown => Gate::MaxSlowdown(margin),
            Self::MinSpeedup => Gate::MinSpeedup(margin),
            Self::MaxDifference => Gate::MaxDifference(margin),
        }
    }
}

/// The gate of a pair and the bounds of its zone, which are logarithms of a ratio.
#[derive(Clone, Debug, PartialEq, miniserde::Serialize)]
pub struct GateRecord {
    /// The promise of the gate.
    pub kind: GateKind,
    /// The limit as it was given: a share, or a factor for `min_speedup`.
    pub margin: f64,
    /// The slowdown that the change allows, which the bounds include; `None` if it allows none.
    pub allowed: Option<AllowedRecord>,
    /// The unit of the bounds: `ln`, the logarithm of a ratio.
    pub unit: String,
    /// A failure proves more than this.
    pub lo: f64,
    /// A pass proves less than this.
    pub hi: f64,
    /// The same as `lo` for a faster candidate, if the gate looks both ways.
    pub lo2: Option<f64>,
    /// The same as `hi` for a faster candidate, if the gate looks both ways.
    pub hi2: Option<f64>,
    /// The error rate of a failure.
    pub alpha: f64,
    /// The error rate of a pass.
    pub beta: f64,
}

/// A slowdown that a line of the change allows, besides that of the limit.
#[derive(Clone, Debug, PartialEq, miniserde::Serialize)]
pub struct AllowedRecord {
    /// The slowdown as a share: 0.12 is 12 %.
    pub slowdown: f64,
    /// The place of the line: the abbreviated id of a commit, or `the description`.
    pub by: String,
}

impl GateRecord {
    /// The gate of a pair that is measured by this plan; `None` if nothing is judged.
    pub fn of(gate: Gate, plan: &Plan) -> Option<Self> {
        let Plan { alpha, beta, zone, .. } = *plan;
        let ((kind, margin), unit) = (GateKind::of(gate)?, "ln".to_owned());
        let (lo, hi, lo2, hi2) = (0.0, 0.0, None, None);
        let unbounded = Self { kind, margin, allowed: None, unit, lo, hi, lo2, hi2, alpha, beta };
        Some(unbounded.with_bounds(zone?))
    }

    /// Sets the bounds to those of this zone, which the verdict is about.
    pub(crate) fn with_bounds(self, Zone { slower: Bounds { lo, hi }, faster }: Zone) -> Self {
        let (lo2, hi2) = faster.map(|Bounds { lo, hi }| (lo, hi)).unzip();
        Self { lo, hi, lo2, hi2, ..self }
    }

    /// The gate of this record.
    pub(crate) fn gate(&self) -> Gate {
        self.kind.with(self.margin)
    }

    /// The zone that follows from its margin, what the change allows, and what is ignored.
    pub(crate) fn zone(&self, ignored: Option<IgnoredRecord>) -> Option<Zone> {
        let zone = self.gate().zone()?;
        let zone = self.allowed.as_ref().map_or(zone, |allowed| zone.allowing(allowed.slowdown));
        Some(ignored.map_or(zone, |ignored| zone.ignoring(ignored.share)))
    }
}

/// A difference that does not count, and its effect on the verdict.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Serialize)]
pub struct IgnoredRecord {
    /// The `ignore_below` of the pair, in nanoseconds per call.
    pub below_ns: f64,
    /// The same as a share of a typical call of the baseline.
    pub share: f64,
    /// True if the gate alone would have reached another verdict on the same slots.
    pub decided: bool,
}

impl From<&Ignored> for IgnoredRecord {
    fn from(ignored: &Ignored) -> Self {
        Self { below_ns: ignored.below, share: ignored.share(), decided: ignored.decided }
    }
}
