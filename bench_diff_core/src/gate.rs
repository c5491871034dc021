//! Gates: the promise of a pair, and the bounds that a judge works with.

/// The promise that a candidate is held to.
///
/// Margins have to be finite and above 0. Nothing refuses other values, and their bounds mean nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gate {
    /// The candidate is at most this share slower than its baseline; 0.02 is 2 %.
    MaxSlowdown(f64),
    /// The candidate is at least this many times as fast as its baseline, such as 1.5. Below 1, it allows a
    /// slowdown.
    MinSpeedup(f64),
    /// The two differ by at most this share, in either direction.
    MaxDifference(f64),
    /// Measured and shown, never judged.
    ReportOnly,
}

impl Gate {
    /// The zone of this gate, on the scale of ln(candidate / baseline); none for [`Gate::ReportOnly`].
    ///
    /// - A slowdown with a margin M: `lo = ln(1 + M/2)`, `hi = ln(1 + 3M/2)`.
    /// - A difference with a margin M: the same, and its mirror image for "faster".
    /// - A speed-up of S times: `lo = -ln(S)`, `hi = lo + ln(1.02)`.
    ///
    /// A candidate at `lo` or before it fails with probability alpha at most. One at `hi` or beyond it passes
    /// with probability beta at most. Between the two, either verdict is acceptable.
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

/// The zone of a speed-up is 2 % wide.
const SPEEDUP_WIDTH: f64 = 1.02;

/// The smallest ratio of two functions that do anything.
const SMALLEST_RATIO: f64 = 1e-9;

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

    /// The bounds if the margin were twice this share. `None` unless these bounds are for a slowdown and
    /// nearer to 1.
    fn of_ignored(self, share: f64) -> Option<Self> {
        (self.lo > 0.0 && self.lo.exp_m1() < share).then(|| Self::of_margin(2.0 * share))
    }

    /// As [`Self::of_ignored`], for mirrored bounds of the direction "faster".
    fn of_ignored_below(self, share: f64) -> Option<Self> {
        let inverse = |share: f64| -(1.0 - share).max(SMALLEST_RATIO).ln();
        (self.lo > 0.0 && -(-self.lo).exp_m1() < share)
            .then(|| Self { lo: inverse(share), hi: inverse(3.0 * share) })
    }

    /// At each end, the bound that is further from 1: this one, or the other one after moving it by the
    /// doubt.
    fn widened(self, other: Option<Self>, doubt: f64) -> Self {
        other.map_or(self, |other| Self {
            lo: self.lo.max(other.lo + doubt),
            hi: self.hi.max(other.hi - doubt),
        })
    }

    /// The bounds for the inverse ratio.
    pub(crate) fn mirrored(self) -> Self {
        Self { lo: -self.lo, hi: -self.hi }
    }
}

/// The zone of a gate: what counts as slower and, for an equivalence, what counts as faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zone {
    /// Fails above `lo`, passes below `hi`.
    pub slower: Bounds,
    /// Fails below `lo`, passes above `hi`. Set only if being faster breaks the gate as well.
    pub faster: Option<Bounds>,
}

impl Zone {
    /// This zone, widened so that differences below `share` of the baseline's time don't count; 0.1 is 10 %.
    ///
    /// If a failure already has to prove a larger difference, or if the gate requires a speed-up, nothing
    /// changes. Otherwise `lo` and `hi` are at least ln(1 + share) and ln(1 + 3 share), and for "faster" at
    /// most ln(1 - share) and ln(1 - 3 share). Ratios below 1e-9 count as 1e-9, since no candidate takes less
    /// than no time.
    #[must_use]
    pub fn ignoring(self, share: f64) -> Self {
        self.ignoring_of(self, share, 0.0)
    }

    /// This zone for a candidate that may also be slower by this share: `lo` and `hi` are larger by
    /// ln(1 + slowdown).
    #[must_use]
    pub fn allowing(self, slowdown: f64) -> Self {
        let (Bounds { lo, hi }, more) = (self.slower, slowdown.ln_1p());
        Self { slower: Bounds { lo: lo + more, hi: hi + more }, ..self }
    }

    /// This zone, which is for raw slots, widened for a gate that ignores a difference of less than this
    /// share of a slot. The doubt is the uncertainty of that share, on the scale of logarithms.
    pub(crate) fn ignoring_of(self, gate: Self, share: f64, doubt: f64) -> Self {
        Self {
            slower: self.slower.widened(gate.slower.of_ignored(share), doubt),
            faster: self.faster.zip(gate.faster).map(|(bounds, gate)| {
                bounds.mirrored().widened(gate.mirrored().of_ignored_below(share), doubt).mirrored()
            }),
        }
    }

    /// The distance between the two bounds of "slower".
    pub(crate) fn width(self) -> f64 {
        (self.slower.hi - self.slower.lo).abs()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::simulation::near;

    #[test]
    fn ignoring_a_share_is_a_margin_of_twice_that_share() {
        let zone = |gate: Gate| gate.zone().unwrap();
        let wide = zone(Gate::MaxSlowdown(0.02)).ignoring(0.125);
        assert!(near(wide.slower.lo, 1.125_f64.ln()) && near(wide.slower.hi, 1.375_f64.ln()), "{wide:?}");
        assert_eq!(wide, zone(Gate::MaxSlowdown(0.25)));
        let Zone { slower, faster } = zone(Gate::MaxDifference(0.02)).ignoring(0.125);
        assert_eq!(slower, wide.slower);
        // A candidate that takes an eighth less has the ratio 7/8, and one that takes three eighths less has
        // 5/8.
        let faster = faster.unwrap();
        assert!(near(faster.lo, 0.875_f64.ln()) && near(faster.hi, 0.625_f64.ln()), "{faster:?}");
        // No candidate takes less than no time.
        let faster = zone(Gate::MaxDifference(0.02)).ignoring(2.0).faster.unwrap();
        assert!(faster.lo < -20.0 && faster.hi < -20.0, "{faster:?}");
    }

    #[test]
    fn an_allowed_slowdown_moves_both_bounds_of_slower() {
        let zone = |gate: Gate| gate.zone().unwrap().allowing(0.12);
        let Zone { slower, faster } = zone(Gate::MaxSlowdown(0.02));
        let (lo, hi) = (1.12_f64.ln() + 1.01_f64.ln(), 1.12_f64.ln() + 1.03_f64.ln());
        assert!(near(slower.lo, lo) && near(slower.hi, hi) && faster.is_none(), "{slower:?}");
        let wide = zone(Gate::MaxSlowdown(0.02)).ignoring(0.25).slower;
        assert!(near(wide.lo, 1.25_f64.ln()) && near(wide.hi, 1.75_f64.ln()), "{wide:?}");
        assert_eq!(
            zone(Gate::MaxSlowdown(0.02)).ignoring(0.1).slower,
            slower,
            "more is allowed than ignored"
        );
        let faster = Gate::MaxDifference(0.02).zone().unwrap().faster;
        assert_eq!(zone(Gate::MaxDifference(0.02)), Zone { slower, faster });
    }

    #[test]
    fn a_speed_up_is_required_however_little_time_it_saves() {
        let speedup = Gate::MinSpeedup(1.5).zone().unwrap();
        assert_eq!(speedup.ignoring(10.0), speedup);
        // An allowed slowdown is widened like any other.
        let slower = Gate::MinSpeedup(0.9).zone().unwrap();
        assert_eq!(slower.ignoring(0.1), slower);
        let [one, other] = [slower.ignoring(0.2), Gate::MaxSlowdown(0.4).zone().unwrap()];
        assert!(near(one.slower.lo, other.slower.lo) && near(one.slower.hi, other.slower.hi), "{one:?}");
        assert_eq!((one.faster, other.faster), (None, None));
    }

    fn gates() -> impl Strategy<Value = Gate> {
        prop_oneof![
            (0.001..3.0).prop_map(Gate::MaxSlowdown),
            (0.3..20.0).prop_map(Gate::MinSpeedup),
            (0.001..3.0).prop_map(Gate::MaxDifference),
        ]
    }

    /// Returns whether no bound of the first zone is nearer to 1 than that of the second.
    fn is_as_wide(wide: Zone, narrow: Zone) -> bool {
        let is_as_far = |wide: Bounds, narrow: Bounds| wide.lo >= narrow.lo && wide.hi >= narrow.hi;
        is_as_far(wide.slower, narrow.slower)
            && wide
                .faster
                .map(Bounds::mirrored)
                .zip(narrow.faster.map(Bounds::mirrored))
                .is_none_or(|(wide, narrow)| is_as_far(wide, narrow))
    }

    proptest! {
        #[test]
        fn ignoring_more_never_narrows_a_zone(gate in gates(), share in 0.0..5.0, more in 0.0..5.0) {
            let gate = gate.zone().unwrap();
            let (some, much) = (gate.ignoring(share), gate.ignoring(share + more));
            prop_assert!(is_as_wide(some, gate) && is_as_wide(much, some), "{some:?} {much:?}");
            prop_assert!(much.slower.lo < much.slower.hi);
            prop_assert!(much.faster.is_none_or(|faster| faster.hi <= faster.lo));
        }

        #[test]
        fn ignoring_less_than_a_failure_proves_changes_nothing(gate in gates(), part in 0.0..0.99) {
            let gate = gate.zone().unwrap();
            let nearest = gate.faster.map_or(gate.slower.lo.exp_m1(), |faster| -faster.lo.exp_m1());
            prop_assert_eq!(gate.ignoring(part * nearest.abs().min(gate.slower.lo.exp_m1().abs())), gate);
        }

        /// A candidate whose time differs by less than the ignored time lies inside the bounds of a failure.
        #[test]
        fn an_ignored_difference_breaks_no_gate(
            margin in 0.001..1.0, baseline in 0.1..100.0, below in 0.01..200.0, part in -0.99..0.99,
        ) {
            let zone = Gate::MaxDifference(margin).zone().unwrap().ignoring(below / baseline);
            let candidate = baseline + part * below;
            prop_assume!(candidate > 1e-3);
            let delta = f64::ln(candidate / baseline);
            prop_assert!(delta < zone.slower.lo && delta > zone.faster.unwrap().lo, "{delta} {zone:?}");
        }
    }
}
