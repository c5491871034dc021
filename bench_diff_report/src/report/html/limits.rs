//! The limits of a gate, and the zone around each in which a verdict may be either one.

use crate::record::{GateKind, GateRecord};

/// The contrast of a candidate that takes no time at all. No scale shows a bound so far away.
const NOTHING: f64 = -20.0;

/// A limit and the two ends of its zone, as logarithms of ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limit {
    pub(super) at: f64,
    pub(super) zone: [f64; 2],
}

impl Limit {
    fn of(kind: GateKind, lo: f64, hi: f64) -> Self {
        let at = match kind {
            GateKind::MinSpeedup => lo,
            // A margin of 2 % has a zone from 1 to 3 %.
            _ => ((lo.exp_m1() + hi.exp_m1()) / 2.0).ln_1p(),
        };
        Self { at, zone: [lo.min(hi), lo.max(hi)] }
    }

    /// The ends of the zone that a scale has to show.
    pub(super) fn in_sight(self) -> impl Iterator<Item = f64> {
        self.zone.into_iter().filter(|bound| *bound > NOTHING)
    }
}

/// The limits of a gate: one, or one on either side of no change.
pub(super) fn limits(gate: Option<&GateRecord>) -> Vec<Limit> {
    let Some(GateRecord { kind, lo, hi, lo2, hi2, .. }) = gate else { return Vec::new() };
    let faster = lo2.zip(*hi2);
    [Some((*lo, *hi)), faster].into_iter().flatten().map(|(lo, hi)| Limit::of(*kind, lo, hi)).collect()
}

#[cfg(test)]
mod tests {
    use bench_diff_core::Gate;

    use super::*;
    use crate::report::phrase::tests::gate;

    #[test]
    fn a_limit_is_the_one_that_the_user_wrote() {
        let at = |of| limits(Some(&gate(of))).iter().map(|limit| limit.at.exp()).collect::<Vec<_>>();
        let is_near = |found: Vec<f64>, expected: &[f64]| {
            assert_eq!(found.len(), expected.len());
            assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 3e-4), "{found:?}");
        };
        is_near(at(Gate::MaxSlowdown(0.02)), &[1.02]);
        is_near(at(Gate::MinSpeedup(5.0)), &[0.2]);
        is_near(at(Gate::MaxDifference(0.02)), &[1.02, 1.0 / 1.02]);
        assert_eq!(limits(None), []);
    }
}
