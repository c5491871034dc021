//! The plan of a self-test: each gate of a run, on its own baseline in the places of both functions.

use bench_diff_core::{Gate, Plan, Seed};

use super::{PairPlan, RunPlan};
use crate::settings::Layouts;

/// The two measurements that test a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    /// What has to pass: the baseline and itself.
    Plain,
    /// What has to fail: the same with extra work.
    Slowed,
}

impl Half {
    const ALL: [Self; 2] = [Self::Plain, Self::Slowed];

    fn suffix(self) -> &'static str {
        match self {
            Self::Plain => " (self-test, plain)",
            Self::Slowed => " (self-test, slowed)",
        }
    }

    /// The pair that a record of this name tests, and how.
    pub(crate) fn of(name: &str) -> Option<(&str, Self)> {
        Self::ALL.into_iter().find_map(|half| Some((name.strip_suffix(half.suffix())?, half)))
    }

    /// The ratio that it measures; none of a gate that nothing fails.
    ///
    /// With a margin M this is 1, and 1 + 2M: half the width of the zone beyond its far bound. A baseline
    /// that is beside itself is no speed-up, so one is made of it: half a width on the far side of either
    /// bound.
    fn ratio(self, gate: Gate) -> Option<f64> {
        match (gate, self) {
            (Gate::ReportOnly, _) => None,
            (Gate::MaxSlowdown(_) | Gate::MaxDifference(_), Self::Plain) => Some(1.0),
            (Gate::MaxSlowdown(margin) | Gate::MaxDifference(margin), Self::Slowed) => {
                Some(1.0 + 2.0 * margin)
            }
            (Gate::MinSpeedup(_), half) => gate.zone().map(|zone| {
                let (lo, hi) = (zone.slower.lo, zone.slower.hi);
                let outside = (hi - lo) / 2.0;
                match half {
                    Self::Plain => (lo - outside).exp(),
                    Self::Slowed => (hi + outside).exp(),
                }
            }),
        }
    }

    fn pair(self, pair: &PairPlan, seed: Seed) -> Option<PairPlan> {
        let name = format!("{}{}", pair.name, self.suffix());
        let ratio = self.ratio(pair.gate)?;
        // The extra work is a share of the baseline, which is what the gate by itself is about.
        let plan =
            Plan { self_test: Some(ratio), ignore_below: None, seed: seed.for_pair(&name), ..pair.plan };
        // Both places hold the same code, wherever it lies.
        let layouts = if pair.layouts == Layouts::None { Layouts::None } else { Layouts::Linked };
        Some(PairPlan { name, group: None, plan, layouts, max_allocations: None, ..pair.clone() })
    }
}

impl RunPlan {
    /// The same run as a test of its gates: two measurements in place of each pair that would be judged.
    pub(crate) fn self_test(self) -> Self {
        let (seed, tested) = (self.seed, self.pairs.iter().filter(|pair| pair.ignored.is_none()));
        let halves = tested.flat_map(|pair| Half::ALL.map(|half| half.pair(pair, seed)));
        let pairs = halves.flatten().collect();
        // Half of what is measured has to fail.
        Self { pairs, fail_fast: false, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, planned};

    #[test]
    fn the_names_of_both_halves_are_told_apart() {
        assert_eq!(Half::of("a::b (self-test, plain)"), Some(("a::b", Half::Plain)));
        assert_eq!(Half::of("a (self-test, slowed)"), Some(("a", Half::Slowed)));
        assert_eq!(Half::of("a"), None);
    }

    #[test]
    fn each_pair_that_would_be_judged_is_measured_twice_in_this_program() {
        let entries = [
            entry("a", 1, equal).max_slowdown(0.02).ignore_below(1.0),
            entry("b", 2, equal).min_speedup(1.5).layouts(Layouts::None),
            entry("c", 3, equal).max_difference(0.01).baseline("d"),
            entry("left_out", 4, equal).ignore(""),
            entry("reported", 5, equal).report_only(true),
        ];
        let run = planned("--bench", &entries);
        let alpha = run.pairs[0].plan.alpha;
        let tested = run.self_test();
        let names: Vec<_> = tested.pairs.iter().map(|pair| Half::of(&pair.name).unwrap()).collect();
        let both = |name| [(name, Half::Plain), (name, Half::Slowed)];
        assert_eq!(names, [both("a"), both("b"), both("c")].concat());
        let ratios: Vec<f64> = tested.pairs.iter().map(|pair| pair.plan.self_test.unwrap()).collect();
        let expected = [1.0, 1.04, 1.0 / 1.515, 1.0 / 1.456, 1.0, 1.02];
        for (ratio, expected) in ratios.iter().zip(expected) {
            assert!((ratio / expected - 1.0).abs() < 1e-3, "{ratios:?}");
        }
        let layouts: Vec<Layouts> = tested.pairs.iter().map(|pair| pair.layouts).collect();
        assert_eq!(layouts[1..4], [Layouts::Linked, Layouts::None, Layouts::None]);
        for pair in &tested.pairs {
            assert_eq!(pair.plan.ignore_below, None, "a gate is tested by itself");
            assert!((pair.plan.alpha - alpha).abs() < 1e-12, "the share of the pair, as in a run");
        }
        assert_ne!(tested.pairs[0].plan.seed, tested.pairs[1].plan.seed);
        assert_eq!(tested.pairs[0].registered, "a");
        assert!(!tested.wants_layouts());
    }

    #[test]
    fn what_is_put_in_lies_beyond_the_zone() {
        for gate in [
            Gate::MaxSlowdown(0.02),
            Gate::MaxSlowdown(3.0),
            Gate::MaxDifference(0.000_1),
            Gate::MinSpeedup(1.5),
            Gate::MinSpeedup(0.9),
        ] {
            let zone = gate.zone().unwrap().slower;
            let [plain, slowed] = Half::ALL.map(|half| half.ratio(gate).unwrap().ln());
            let width = zone.hi - zone.lo;
            assert!(plain < zone.lo - 0.3 * width && slowed > zone.hi + 0.3 * width, "{gate:?}");
        }
    }
}
