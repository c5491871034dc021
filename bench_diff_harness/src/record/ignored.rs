//! A difference that is too short a time to count.

use bench_diff_core::{Ignored, Zone};

use super::GateRecord;

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

impl GateRecord {
    /// The zone that follows from its margin and from what is ignored.
    pub(crate) fn zone(&self, ignored: Option<IgnoredRecord>) -> Option<Zone> {
        let zone = self.gate().zone()?;
        Some(ignored.map_or(zone, |ignored| zone.ignoring(ignored.share)))
    }
}
