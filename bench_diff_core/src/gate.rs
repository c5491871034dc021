//! Gates: what a pair promises, and the bounds that a judge works with.

/// The promise that a candidate is held to.
///
/// Margins are shares (0.02 is 2 %), finite and above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gate {
    /// The candidate is at most this share slower than its baseline.
    MaxSlowdown(f64),
    /// The candidate is at least this many times faster than its baseline.
    MinSpeedup(f64),
    /// The two differ by at most this share, both ways.
    MaxDifference(f64),
    /// Measured and shown, never judged.
    ReportOnly,
}

impl Gate {
    /// The zone of this gate; none for [`Gate::ReportOnly`].
    ///
    /// With a margin M the zone of a slowdown is `lo = ln(1 + M/2)`, `hi = ln(1 + 3M/2)`: a candidate that is
    /// at most half the margin slower fails with probability alpha at the most, one that is one and a half
    /// margins slower passes with probability beta at the most, and between the two either verdict is
    /// acceptable.
    #[must_use]
    pub fn zone(self) -> Option<Zone> {
        match self {
            Self::MaxSlowdown(margin) => Some(Zone { slower: Bounds::of_margin(margin), faster: None }),
            Self::MinSpeedup(speedup) => {
                let lo = -speedup.ln();
                Some(Zone { slower: Bounds { lo, hi: lo + SPEEDUP_WIDTH.ln() }, faster: None })
            }
            Self::MaxDifference(margin) => {
                let slower = Bounds::of_margin(margin);
                Some(Zone { slower, faster: Some(slower.mirrored()) })
            }
            Self::ReportOnly => None,
        }
    }

    /// The name of the option: `max_slowdown`, `min_speedup`, `max_difference` or `report_only`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxSlowdown(_) => "max_slowdown",
            Self::MinSpeedup(_) => "min_speedup",
            Self::MaxDifference(_) => "max_difference",
            Self::ReportOnly => "report_only",
        }
    }

    /// The margin as the user wrote it: a share, or the number of times for [`Gate::MinSpeedup`].
    #[must_use]
    pub fn margin(self) -> Option<f64> {
        match self {
            Self::MaxSlowdown(margin) | Self::MinSpeedup(margin) | Self::MaxDifference(margin) => {
                Some(margin)
            }
            Self::ReportOnly => None,
        }
    }
}

/// A speed-up is proven or missed within 2 %.
const SPEEDUP_WIDTH: f64 = 1.02;

/// The bounds of one direction, on the scale of delta = ln(candidate / baseline).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// A failure proves that delta lies beyond this bound.
    pub lo: f64,
    /// A pass proves that delta stays inside this bound.
    pub hi: f64,
}

impl Bounds {
    fn of_margin(margin: f64) -> Self {
        Self { lo: (margin / 2.0).ln_1p(), hi: (margin * 1.5).ln_1p() }
    }

    /// The same bounds for the inverse ratio.
    pub(crate) fn mirrored(self) -> Self {
        Self { lo: -self.lo, hi: -self.hi }
    }
}

/// The zone of a gate: what counts as slower and, for an equivalence, what counts as faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zone {
    /// Fails above `lo`, passes below `hi`.
    pub slower: Bounds,
    /// Fails below `lo`, passes above `hi`; only where being faster breaks the gate as well.
    pub faster: Option<Bounds>,
}

impl Zone {
    /// The distance of the two bounds, which is the same in both directions.
    pub(crate) fn width(self) -> f64 {
        (self.slower.hi - self.slower.lo).abs()
    }
}
