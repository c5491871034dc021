//! The zone for raw slots, a part of which is overhead.

use super::Calls;
use crate::gate::{Bounds, Zone};
use crate::stats::Interval;

impl Zone {
    /// The bounds for raw slots that prove what these bounds say about the functions themselves.
    ///
    /// If q is the share of overhead in the baseline's slots, the slots have the ratio q + (1 - q) r, where r
    /// is the ratio of the functions. This raw ratio lies between r and 1. So if it is further from 1 than a
    /// bound, r is too, and such a bound stays. If it has to be nearer to 1 than a bound, the bound moves
    /// towards 1 by as much as the overhead hides. Exchanging the functions exchanges the shares and mirrors
    /// the bounds. If the overhead is unknown, the bounds stay as they are.
    pub(crate) fn raw(self, calls: Option<Calls>) -> Self {
        let Some(calls) = calls else { return self };
        Self {
            slower: self.slower.raw(calls.baseline.share_max),
            faster: self.faster.map(|faster| faster.mirrored().raw(calls.candidate.share_max).mirrored()),
        }
    }

    /// Returns whether the overhead leaves a gap: values of delta for which neither a pass nor a failure can
    /// be proven.
    pub(crate) fn has_gap(self) -> bool {
        self.gaps().next().is_some()
    }

    /// Returns whether a pair with this interval of delta lies in the gap, or so near to it that a proof
    /// would take long.
    ///
    /// Near is half of the gap, but at most a quarter of the width of the gate.
    pub(crate) fn is_undecidable(self, interval: Interval, width: f64) -> bool {
        self.gaps().any(|(low, high)| {
            let edge = ((high - low) / 2.0).min(width / 4.0);
            low - edge <= interval.low && interval.high <= high + edge
        })
    }

    fn gaps(self) -> impl Iterator<Item = (f64, f64)> {
        self.slower_gap().into_iter().chain(self.faster_gap())
    }

    /// The gap between the largest delta that passes as not slower and the smallest that fails as slower, if
    /// there is one.
    pub(crate) fn slower_gap(self) -> Option<(f64, f64)> {
        Some((self.slower.hi, self.slower.lo)).filter(|(low, high)| low <= high)
    }

    /// The gap between the largest delta that fails as faster and the smallest that passes as not faster, if
    /// there is one.
    pub(crate) fn faster_gap(self) -> Option<(f64, f64)> {
        self.faster.map(|faster| (faster.lo, faster.hi)).filter(|(low, high)| low <= high)
    }
}

/// The slowdown of the functions themselves, as a share, if raw slots have this delta and the overhead hides
/// as much as it may. It uses the share of the baseline, by which [`Zone::raw`] also moves the bounds of
/// "slower". `None` if the slots may be pure overhead, which hides any slowdown.
pub(crate) fn net_slowdown(delta: f64, calls: Option<Calls>) -> Option<f64> {
    let share = calls.map_or(0.0, |calls| calls.baseline.share_max);
    (share < 1.0).then(|| delta.exp_m1() / (1.0 - share))
}

impl Bounds {
    /// The bounds of the direction "slower" for raw slots, of which at most this share is overhead.
    fn raw(self, share: f64) -> Self {
        let pulled = |bound: f64| ((1.0 - share) * bound.exp_m1()).ln_1p();
        Self {
            lo: if self.lo < 0.0 { pulled(self.lo) } else { self.lo },
            hi: if self.hi > 0.0 { pulled(self.hi) } else { self.hi },
        }
    }

    /// The smallest share of overhead at which these bounds of the direction "slower" have a gap for raw
    /// slots.
    ///
    /// Both bounds move towards 1 in proportion to the share, on the scale of ratios.
    pub(crate) fn largest_share(self) -> f64 {
        let (lo, hi) = (self.lo.exp_m1(), self.hi.exp_m1());
        (hi - lo) / (hi.max(0.0) - lo.min(0.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::gate::Gate;
    use crate::simulation::{calls, near};

    #[test]
    fn only_bounds_that_overhead_could_hide_are_moved() {
        let (gate, half) = (|gate: Gate| gate.zone().unwrap(), calls(0.5, 0.5));
        // The bounds are ratios of 1.01 and 1.03.
        let slowdown = gate(Gate::MaxSlowdown(0.02)).raw(half).slower;
        assert!(near(slowdown.lo, 1.01_f64.ln()) && near(slowdown.hi, 1.015_f64.ln()), "{slowdown:?}");
        // The bounds are ratios of 0.5 and 0.51.
        let speedup = gate(Gate::MinSpeedup(2.0)).raw(half).slower;
        assert!(near(speedup.lo, 0.75_f64.ln()) && near(speedup.hi, 0.51_f64.ln()), "{speedup:?}");
        // The bounds are ratios of 1 / 0.9 and 1.02 / 0.9: the candidate may be slower.
        let slower = gate(Gate::MinSpeedup(0.9)).raw(half).slower;
        assert!(near(slower.lo, -0.9_f64.ln()) && near(slower.hi, (1.92_f64 / 1.8).ln()), "{slower:?}");
        let faster = gate(Gate::MaxDifference(0.02)).raw(calls(0.5, 0.0)).faster.unwrap();
        assert!(near(faster.lo, -1.01_f64.ln()) && near(faster.hi, -1.015_f64.ln()), "{faster:?}");
    }

    #[test]
    fn each_gate_allows_a_share_of_overhead_without_a_gap() {
        for (gate, share) in [
            (Gate::MaxSlowdown(0.02), 2.0 / 3.0),
            (Gate::MaxSlowdown(3.0), 2.0 / 3.0),
            (Gate::MaxDifference(0.02), 2.0 / 3.0),
            (Gate::MinSpeedup(1.5), 0.04),
            (Gate::MinSpeedup(2.0), 0.02),
        ] {
            let zone = gate.zone().unwrap();
            assert!(near(zone.slower.largest_share(), share), "{gate:?}: {}", zone.slower.largest_share());
            let has_gap = |share| zone.raw(calls(share, share)).has_gap();
            assert!(!has_gap(share - 1e-6), "{gate:?}");
            assert!(has_gap(share + 1e-6), "{gate:?}");
        }
    }

    #[test]
    fn an_interval_in_the_gap_is_undecidable() {
        let is_undecidable = |gate: Gate, [candidate, baseline]: [f64; 2], low, high| {
            let gate = gate.zone().unwrap();
            let zone = gate.raw(calls(candidate, baseline));
            zone.is_undecidable(Interval { level: 0.95, low, high }, gate.width())
        };
        let (slowdown, difference) = (Gate::MaxSlowdown(0.02), Gate::MaxDifference(0.02));
        for (gate, low, high, expected) in [
            // If slots are pure overhead, the gap is from 0 to .00995. Half of it is nearer than a quarter of
            // .0196.
            (slowdown, 0.001, 0.009, true),
            (slowdown, -0.0048, 0.0048, true),
            (slowdown, -0.006, 0.001, false),
            (slowdown, -0.1, 0.1, false),
            (difference, 0.001, 0.009, true),
            (difference, -0.009, -0.001, true),
            (difference, 0.0, 0.02, false),
            // The gap is from 1 / 1.5 to 1.
            (Gate::MinSpeedup(1.5), -0.1, 0.003, true),
            (Gate::MinSpeedup(1.5), -0.1, 0.006, false),
        ] {
            assert_eq!(is_undecidable(gate, [1.0; 2], low, high), expected, "{gate:?} {low} {high}");
        }
        assert!(!is_undecidable(slowdown, [0.0; 2], 0.011, 0.012), "without a gap everything can be decided");
        assert!(!is_undecidable(difference, [1.0, 0.0], 0.006, 0.009), "the gap is on the other side");
    }

    #[test]
    fn overhead_hides_slowdowns_in_proportion_to_its_share_in_the_baseline() {
        let delta = 0.02_f64.ln_1p();
        for (calls, expected) in
            [(None, 0.02), (calls(0.9, 0.0), 0.02), (calls(0.0, 0.5), 0.04), (calls(0.5, 0.75), 0.08)]
        {
            assert!(near(net_slowdown(delta, calls).unwrap(), expected), "{calls:?}");
        }
        assert_eq!(net_slowdown(delta, calls(0.5, 1.0)), None);
    }

    fn gates() -> impl Strategy<Value = Gate> {
        prop_oneof![
            (0.001..1.0).prop_map(Gate::MaxSlowdown),
            (0.5..20.0).prop_map(Gate::MinSpeedup),
            (0.001..1.0).prop_map(Gate::MaxDifference),
        ]
    }

    proptest! {
        /// A proof on raw slots is never stronger than the functions themselves justify.
        #[test]
        fn a_proof_on_raw_slots_is_a_proof_on_the_functions(
            gate in gates(), overhead in 0.0..10.0, candidate in 0.01..10.0, baseline in 0.01..10.0, more in 0.0..0.5,
        ) {
            let share = |function: f64| f64::min(overhead / (overhead + function) + more, 1.0);
            let gate = gate.zone().unwrap();
            let zone = gate.raw(calls(share(candidate), share(baseline)));
            let delta = f64::ln(candidate / baseline);
            let raw = f64::ln((overhead + candidate) / (overhead + baseline));
            let rounding = 1e-12;
            if raw > zone.slower.lo + rounding {
                prop_assert!(delta > gate.slower.lo - rounding);
            }
            if raw < zone.slower.hi - rounding {
                prop_assert!(delta < gate.slower.hi + rounding);
            }
            if let (Some(raw_bounds), Some(bounds)) = (zone.faster, gate.faster) {
                prop_assert!(raw >= raw_bounds.lo - rounding || delta < bounds.lo + rounding);
                prop_assert!(raw <= raw_bounds.hi + rounding || delta > bounds.hi - rounding);
            }
        }

        #[test]
        fn without_overhead_nothing_changes(gate in gates()) {
            let gate = gate.zone().unwrap();
            let zone = gate.raw(calls(0.0, 0.0));
            prop_assert!(near(zone.slower.lo, gate.slower.lo) && near(zone.slower.hi, gate.slower.hi));
            prop_assert!(!zone.has_gap());
        }

        #[test]
        fn the_net_slowdown_reverses_the_move_of_a_bound(gate in gates(), share in 0.0..0.99) {
            let (bound, calls) = (gate.zone().unwrap().slower.lo, calls(0.0, share));
            prop_assume!(bound < 0.0);
            let raw = gate.zone().unwrap().raw(calls).slower.lo;
            prop_assert!(near(net_slowdown(raw, calls).unwrap(), bound.exp_m1()));
        }

        #[test]
        fn more_overhead_proves_less(gate in gates(), share in 0.0..1.0, more in 0.0..1.0) {
            let more = share + (1.0 - share) * more;
            let gate = gate.zone().unwrap().slower;
            let (some, much) = (gate.raw(share), gate.raw(more));
            prop_assert!(some.lo <= much.lo && much.hi <= some.hi);
        }

        #[test]
        fn exchanging_the_functions_mirrors_the_zone(
            margin in 0.001..1.0, candidate in 0.0..1.0, baseline in 0.0..1.0,
        ) {
            let gate = Gate::MaxDifference(margin).zone().unwrap();
            let (one, other) = (gate.raw(calls(candidate, baseline)), gate.raw(calls(baseline, candidate)));
            prop_assert_eq!(one.faster, Some(other.slower.mirrored()));
            prop_assert_eq!(other.faster, Some(one.slower.mirrored()));
        }
    }
}
