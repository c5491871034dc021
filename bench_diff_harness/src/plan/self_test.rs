//! The plan of a self-test: each gate of a run, with its own baseline in place of both functions.

use bench_diff_core::{Gate, Plan, Seed, SelfTest};

use super::{PairPlan, RunPlan};
use crate::settings::Layouts;

/// The latency of a slow call as a multiple of a typical one.
const SLOW_CALL: f64 = 10.0;

/// The largest share of calls that are made slow: more would change the typical call.
const MOST_SLOW_CALLS: f64 = 0.15;

/// A measurement that tests a gate: the one that it has to pass, which all gates of a pair share, or one that
/// it has to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SelfTestCase {
    /// A pass: the baseline and itself.
    Plain,
    /// A failure: the same with extra work.
    Slowed,
    /// A failure by `max_tail`: the baseline and itself with slow calls.
    SlowCalls,
}

impl SelfTestCase {
    pub(crate) const ALL: [Self; 3] = [Self::Plain, Self::Slowed, Self::SlowCalls];

    fn suffix(self) -> &'static str {
        match self {
            Self::Plain => " (self-test, plain)",
            Self::Slowed => " (self-test, slowed)",
            Self::SlowCalls => " (self-test, slow calls)",
        }
    }

    /// The name of its record for the pair of this name.
    pub(crate) fn name(self, pair: &str) -> String {
        format!("{pair}{}", self.suffix())
    }

    /// The pair that a record of this name tests, and the kind of test.
    pub(crate) fn of(name: &str) -> Option<(&str, Self)> {
        Self::ALL.into_iter().find_map(|half| Some((name.strip_suffix(half.suffix())?, half)))
    }

    /// The ratio that it measures; `None` for a gate that nothing fails.
    ///
    /// With a margin M this is 1, and 1 + 2M: half the width of the zone beyond its far bound. A baseline
    /// against itself is no speed-up, so one is made: half a width beyond either bound.
    fn ratio(self, gate: Gate) -> Option<f64> {
        match (gate, self) {
            (Gate::ReportOnly, _) => None,
            (Gate::MaxSlowdown(_) | Gate::MaxDifference(_), Self::Plain) => Some(1.0),
            (Gate::MaxSlowdown(_) | Gate::MaxDifference(_), Self::SlowCalls) => Some(SLOW_CALL),
            (Gate::MaxSlowdown(margin) | Gate::MaxDifference(margin), Self::Slowed) => {
                Some(1.0 + 2.0 * margin)
            }
            // Work that makes a speed-up also makes slow calls: it is a constant part of each call.
            (Gate::MinSpeedup(_), Self::SlowCalls) => None,
            (Gate::MinSpeedup(_), half) => gate.zone().map(|zone| {
                let (lo, hi) = (zone.slower.lo, zone.slower.hi);
                let outside = (hi - lo) / 2.0;
                if half == Self::Plain { (lo - outside).exp() } else { (hi + outside).exp() }
            }),
        }
    }

    /// The share of duos with extra work; `None` if that needs too many slow calls.
    ///
    /// A margin of r needs r^2 times as many slow calls as without, which is 1 %: half the width of the zone
    /// beyond its far bound, as for the ratio.
    fn share(self, max_tail: Option<f64>) -> Option<f64> {
        match self {
            Self::Plain | Self::Slowed => Some(1.0),
            Self::SlowCalls => {
                Some((times_put_in(max_tail?) - 1.0) / 100.0).filter(|share| *share <= MOST_SLOW_CALLS)
            }
        }
    }

    fn pair(self, pair: &PairPlan, seed: Seed) -> Option<PairPlan> {
        let name = self.name(&pair.name);
        let max_tail = pair.plan.max_tail.filter(|_| !matches!(pair.gate, Gate::MinSpeedup(_)));
        let test = SelfTest { ratio: self.ratio(pair.gate)?, share: self.share(max_tail)? };
        // The extra work is a share of the baseline, which the gate is about when `ignore_below` is not set.
        let seed = seed.for_pair(&name);
        let plan = Plan { self_test: Some(test), max_tail, ignore_below: None, seed, ..pair.plan };
        // Both places hold the same code, wherever it lies.
        let layouts = if pair.layouts == Layouts::None { Layouts::None } else { Layouts::Linked };
        Some(PairPlan { name, group: None, plan, layouts, max_allocations: None, ..pair.clone() })
    }
}

/// The multiple of the baseline's own slow calls that are inserted to test this margin.
pub(crate) fn times_put_in(max_tail: f64) -> f64 {
    max_tail.powi(2)
}

impl RunPlan {
    /// Turns the run into a test of its gates: two measurements for each pair that would be judged, and one
    /// more if it has `max_tail`.
    pub(crate) fn self_test(self) -> Self {
        let (seed, tested) = (self.seed, self.pairs.iter().filter(|pair| pair.ignored.is_none()));
        let halves = tested.flat_map(|pair| SelfTestCase::ALL.map(|half| half.pair(pair, seed)));
        let pairs = halves.flatten().collect();
        // One measurement of each test has to fail.
        Self { pairs, fail_fast: false, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, planned};

    #[test]
    fn the_names_of_both_halves_are_told_apart() {
        assert_eq!(SelfTestCase::of("a::b (self-test, plain)"), Some(("a::b", SelfTestCase::Plain)));
        assert_eq!(SelfTestCase::of("a (self-test, slowed)"), Some(("a", SelfTestCase::Slowed)));
        assert_eq!(SelfTestCase::of("a (self-test, slow calls)"), Some(("a", SelfTestCase::SlowCalls)));
        assert_eq!(SelfTestCase::of("a"), None);
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
        let names: Vec<_> = tested.pairs.iter().map(|pair| SelfTestCase::of(&pair.name).unwrap()).collect();
        let both = |name| [(name, SelfTestCase::Plain), (name, SelfTestCase::Slowed)];
        assert_eq!(names, [both("a"), both("b"), both("c")].concat());
        let ratios: Vec<f64> = tested.pairs.iter().map(|pair| pair.plan.self_test.unwrap().ratio).collect();
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
        assert_eq!(tested.pairs[0].listed.name, "a");
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
            let [plain, slowed] =
                [SelfTestCase::Plain, SelfTestCase::Slowed].map(|half| half.ratio(gate).unwrap().ln());
            let width = zone.hi - zone.lo;
            assert!(plain < zone.lo - 0.3 * width && slowed > zone.hi + 0.3 * width, "{gate:?}");
        }
    }

    #[test]
    fn slow_calls_are_put_in_beyond_the_zone_where_they_move_no_typical_call() {
        let entries = [
            entry("a", 1, equal).max_slowdown(0.02).max_tail(2.0),
            entry("b", 2, equal).max_difference(0.02).max_tail(4.0),
            entry("c", 3, equal).max_slowdown(0.02).max_tail(5.0),
            entry("d", 4, equal).min_speedup(1.5).max_tail(2.0),
        ];
        let pairs = planned("--bench --judge sequential", &entries).self_test().pairs;
        let slowed: Vec<_> = pairs
            .iter()
            .filter(|pair| pair.name.ends_with(" (self-test, slow calls)"))
            .map(|pair| (pair.listed.name.as_str(), pair.plan.max_tail, pair.plan.self_test.unwrap().ratio))
            .collect();
        assert_eq!(slowed, [("a", Some(2.0), 10.0), ("b", Some(4.0), 10.0)]);
        let shares: Vec<f64> = pairs.iter().map(|pair| pair.plan.self_test.unwrap().share).collect();
        let expected = [1.0, 1.0, 0.03, 1.0, 1.0, 0.15, 1.0, 1.0, 1.0, 1.0];
        assert_eq!(shares.len(), expected.len());
        for (share, expected) in shares.iter().zip(expected) {
            assert!((share - expected).abs() < 1e-12, "{shares:?}");
        }
        let margins: Vec<_> = pairs[6..].iter().map(|pair| pair.plan.max_tail).collect();
        assert_eq!(margins, [Some(5.0), Some(5.0), None, None]);
    }
}
