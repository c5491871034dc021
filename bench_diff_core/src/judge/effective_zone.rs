//! The zone of a gate after applying `ignore_below` and the overhead of calls.

use super::{Judgement, PRECISE, Verdict, too_short};
use crate::duo::{Duo, slots_of};
use crate::error::MeasureError;
use crate::gate::{Bounds, Zone};
use crate::overhead::{Calls, net_slowdown};
use crate::plan::Plan;
use crate::sample::Warmup;
use crate::stats::{Interval, median_time};

/// A difference that is too small to count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ignored {
    /// The ignored difference, in nanoseconds per call: [`ignore_below`](Plan::ignore_below) of the plan.
    pub below: f64,
    /// A typical call of the baseline, in nanoseconds, including the cost of calling it.
    pub call: f64,
    /// The zone of the verdict, which is the zone of the gate or a wider one.
    pub zone: Zone,
    /// Set if the gate by itself would have given another verdict for the same slots.
    pub decided: bool,
}

impl Ignored {
    /// The ignored difference as a share of the baseline.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.below / self.call
    }
}

/// The zone of a pair's gate after applying `ignore_below`, and its bounds for raw slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EffectiveZone {
    /// The zone that a verdict is about.
    pub(super) gate: Zone,
    /// The bounds that raw slots are judged by.
    pub(super) judged: Zone,
    /// Set if the overhead is so large that hardly any pair can be judged.
    is_mostly_overhead: bool,
    pub(super) ignored: Option<Ignored>,
}

/// A typical call of the baseline in these duos, whose slots have this many calls, in nanoseconds; 0 without
/// duos.
pub(super) fn typical_call(duos: &[Duo], iterations: u64) -> f64 {
    median_time(slots_of(duos, |duo| duo.baseline)) as f64 / iterations.max(1) as f64
}

impl EffectiveZone {
    /// The zone of this plan for a pair whose baseline takes this many nanoseconds per call; `None` without a
    /// gate.
    ///
    /// If that time is unknown, given as 0, no difference is ignored.
    pub(super) fn new(plan: &Plan, call: f64, calls: Option<Calls>) -> Option<Self> {
        let gate = plan.zone?;
        let ignored = plan.ignore_below.filter(|_| plan.ignores() && call > 0.0).map(|below| {
            let zone = gate.ignoring(below / call);
            Ignored { below, call, zone, decided: false }
        });
        let share = ignored.as_ref().map_or(0.0, Ignored::share);
        Some(Self {
            gate: ignored.map_or(gate, |ignored| ignored.zone),
            judged: too_short::judged(gate, calls, share),
            is_mostly_overhead: too_short::is_mostly_overhead(gate, calls),
            ignored,
        })
    }

    /// The zone of this plan for the duos after a warm-up.
    pub(super) fn after(plan: &Plan, warmup: &Warmup, calls: Option<Calls>) -> Option<Self> {
        Self::new(plan, typical_call(&warmup.duos, warmup.iterations), calls)
    }

    /// Returns whether overhead is most of a slot, so that neither a failure nor a pass can be proven at this
    /// delta.
    pub(super) fn hides(&self, delta: f64) -> bool {
        self.is_mostly_overhead
            && self.judged.is_undecidable(Interval { level: 1.0, low: delta, high: delta }, 0.0)
    }

    /// This interval of delta, limited to what the verdict proves. `is_slower` says in which direction a
    /// failure breaks the gate.
    pub(super) fn limited(&self, interval: Interval, verdict: Verdict, is_slower: bool) -> Interval {
        let Zone { slower, faster } = self.judged;
        let [least, most] = match verdict {
            Verdict::Fail if is_slower => [slower.lo, f64::INFINITY],
            Verdict::Fail => [f64::NEG_INFINITY, faster.map_or(f64::INFINITY, |faster| faster.lo)],
            Verdict::Pass => [faster.map_or(f64::NEG_INFINITY, |faster| faster.hi), slower.hi],
            Verdict::Inconclusive => return interval,
        };
        // If slots are mostly overhead, these bounds may leave no range.
        let limited = |end: f64| end.max(least).min(most);
        Interval { low: limited(interval.low), high: limited(interval.high), ..interval }
    }

    /// The slowdown that is found if raw slots with this delta are. A smaller one than a pass excludes may
    /// pass before it is found.
    pub(super) fn found(&self, delta: f64, calls: Option<Calls>) -> Option<f64> {
        net_slowdown(delta, calls).map(|slowdown| slowdown.max(self.gate.slower.hi.exp_m1()))
    }

    /// The bounds that raw slots are judged by: of "slower" and, if being faster breaks the gate as well, of
    /// "faster".
    pub(super) fn bounds(&self) -> impl Iterator<Item = Bounds> + use<> {
        [Some(self.judged.slower), self.judged.faster].into_iter().flatten()
    }
}

/// Returns whether a longer measurement would not add anything, if there is no verdict at this interval of
/// delta. Without a gate, the interval has to be narrow enough; with one, it has to lie where overhead rules
/// out a proof.
pub(super) fn is_enough(effective: Option<EffectiveZone>, interval: impl FnOnce() -> Interval) -> bool {
    match effective {
        Some(EffectiveZone { gate, judged, .. }) => {
            judged.has_gap() && judged.is_undecidable(interval(), gate.width())
        }
        None => {
            let Interval { low, high, .. } = interval();
            (high - low) / 2.0 <= PRECISE.ln_1p()
        }
    }
}

impl Judgement {
    /// Records in this judgement whether the ignored difference has changed the verdict.
    pub(crate) fn compared(
        mut self,
        plan: &Plan,
        again: impl FnOnce(&Plan) -> Result<Self, MeasureError>,
    ) -> Self {
        let verdict = self.verdict;
        if let Some(ignored) = self.ignored.as_mut().filter(|ignored| Some(ignored.zone) != plan.zone) {
            let plain = again(&Plan { ignore_below: None, ..*plan });
            ignored.decided = plain.is_ok_and(|plain| plain.verdict != verdict);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ClockKind;
    use crate::duo::Order;
    use crate::gate::Gate;
    use crate::judge::Verdict;
    use crate::measurement::Measurement;
    use crate::plan::JudgeKind;
    use crate::sample::Recording;
    use crate::simulation::{Noise, plan};

    const CALLS: u64 = 10_000;

    /// The slots of a process whose calls take this many nanoseconds.
    fn process(candidate: f64, baseline: f64, duos: usize, noise: &Noise) -> Recording {
        let slots = |call: f64| [(); 2].map(|()| noise.log_normal(CALLS as f64 * call, 0.002).round() as u64);
        let duo = |i: usize| Duo {
            order: if i.is_multiple_of(2) { Order::BaselineFirst } else { Order::CandidateFirst },
            candidate: slots(candidate),
            baseline: slots(baseline),
        };
        let duos_of = |count: usize| (0..count).map(duo).collect();
        let (clock, resolution) = (ClockKind::Wall, 1);
        let warmup = Warmup { duos: duos_of(16), empty: Vec::new(), iterations: CALLS, clock, resolution };
        Recording::of(warmup, duos_of(duos))
    }

    fn by_rounds(gate: Gate, ignore_below: f64) -> Plan {
        Plan {
            zone: gate.zone(),
            judge: JudgeKind::Sequential,
            max_rounds: Some(40),
            ignore_below: Some(ignore_below),
            ..plan()
        }
    }

    fn judged(plan: &Plan, candidate: f64) -> Judgement {
        let noise = Noise::new(11);
        let rounds = if plan.max_rounds.is_some() {
            (0..40).map(|_| vec![process(candidate, 3.0, 8, &noise)]).collect()
        } else {
            vec![vec![process(candidate, 3.0, 200, &noise)]]
        };
        Measurement::of(plan, rounds).unwrap().judgement
    }

    #[test]
    fn a_few_percent_of_a_short_call_are_ignored() {
        use Verdict::{Fail, Pass};
        let by_rounds = |gate, below| by_rounds(gate, below);
        let by_duos = |gate, below| Plan { max_rounds: None, ..by_rounds(gate, below) };
        let by_welch = |gate, below| Plan { judge: JudgeKind::Welch, ..by_duos(gate, below) };
        let plans: [&dyn Fn(Gate, f64) -> Plan; 3] = [&by_rounds, &by_duos, &by_welch];
        let (slowdown, difference) = (Gate::MaxSlowdown(0.02), Gate::MaxDifference(0.02));
        for (gate, below, candidate, expected, decided) in [
            (slowdown, 1.0, 3.0, Pass, false),
            (slowdown, 1.0, 3.3, Pass, true),
            (slowdown, 1.0, 3.9, Pass, true),
            (slowdown, 1.0, 7.0, Fail, false),
            (slowdown, 0.001, 3.3, Fail, false),
            (difference, 1.0, 3.3, Pass, true),
            (difference, 1.0, 2.7, Pass, true),
            (difference, 1.0, 2.05, Pass, true),
            (difference, 0.5, 1.4, Fail, false),
            (difference, 3.0, 0.01, Pass, true),
            (Gate::MinSpeedup(0.95), 1.0, 3.5, Pass, true),
        ] {
            for plan in plans {
                let plan = plan(gate, below);
                let judgement = judged(&plan, candidate);
                assert_eq!(
                    judgement.verdict,
                    Some(expected),
                    "{gate:?} {below} {candidate} {:?}",
                    plan.judge
                );
                let ignored = judgement.ignored.unwrap();
                assert_eq!(ignored.decided, decided, "{gate:?} {below} {candidate} {:?}", plan.judge);
                assert!((ignored.call - 3.0).abs() < 0.01 && ignored.below == below, "{ignored:?}");
            }
        }
    }

    #[test]
    fn gates_that_allow_no_slowdown_ignore_nothing() {
        for (gate, verdict) in [(Gate::ReportOnly, None), (Gate::MinSpeedup(1.5), Some(Verdict::Fail))] {
            let plan = by_rounds(gate, 1.0);
            let judgement = judged(&plan, 2.2);
            assert_eq!((judgement.verdict, judgement.ignored), (verdict, None));
            assert_eq!(judgement, judged(&Plan { ignore_below: None, ..plan }, 2.2));
        }
    }

    #[test]
    fn a_pair_that_passes_anyway_takes_no_more_rounds() {
        let taken = |candidate: f64, below: Option<f64>| {
            let noise = Noise::new(3);
            let rounds = (0..40).map(|_| vec![process(candidate, 3.0, 8, &noise)]).collect();
            let plan = Plan { ignore_below: below, ..by_rounds(Gate::MaxSlowdown(0.02), 1.0) };
            Measurement::of(&plan, rounds).unwrap().judgement.rounds.unwrap().contrasts.len()
        };
        assert_eq!([taken(3.0, None), taken(3.0, Some(1.0)), taken(3.3, Some(1.0))], [5; 3]);
    }

    /// Each process has its own pace, which must not affect a difference in time.
    #[test]
    fn a_difference_in_time_is_taken_within_each_process() {
        let noise = Noise::new(3);
        let process = |extra: f64| {
            let paces = [3.0, 30.0].into_iter().cycle().take(40);
            let rounds = paces.map(|baseline| vec![process(baseline + extra, baseline, 8, &noise)]).collect();
            let plan = by_rounds(Gate::MaxSlowdown(0.02), 2.0);
            Measurement::of(&plan, rounds).unwrap().judgement.verdict
        };
        // 1 ns is a third of 3 ns and 3 % of 30 ns. 8 ns are more than three times 2 ns in both.
        assert_eq!([1.0, 8.0].map(process), [Some(Verdict::Pass), Some(Verdict::Fail)]);
    }

    /// At the bounds themselves, where the error rates are reached, with processes whose pace differs by a
    /// tenth.
    #[test]
    fn the_error_rates_hold_at_the_wider_bounds() {
        const RUNS: u64 = 1000;
        let count = |verdict: Verdict, [alpha, beta]: [f64; 2], extra: f64| {
            let plan = Plan { alpha, beta, ..by_rounds(Gate::MaxSlowdown(0.02), 1.0) };
            let run = |seed: &u64| {
                let noise = Noise::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let round = |_| {
                    let baseline = noise.log_normal(3.0, 0.1);
                    vec![process(baseline + noise.log_normal(extra, 0.05), baseline, 2, &noise)]
                };
                let rounds = (0..40).map(round).collect();
                Measurement::of(&plan, rounds).unwrap().judgement.verdict == Some(verdict)
            };
            (1..=RUNS).filter(run).count()
        };
        // The other verdict would end most runs early, so its error rate is tiny.
        let (fails, passes) = ([0.05, 1e-12], [1e-12, 0.05]);
        // Binomial (1000, .05): mean 50, standard deviation 6.9; 4 of them more or less.
        for (verdict, rates, extra) in [(Verdict::Fail, fails, 1.0), (Verdict::Pass, passes, 3.0)] {
            let wrong = count(verdict, rates, extra);
            assert!((22..=78).contains(&wrong), "{verdict:?}: {wrong} of {RUNS}");
        }
        let (few, most) = (count(Verdict::Fail, fails, 0.95), count(Verdict::Fail, fails, 1.1));
        assert!(few < 5 && most > 990, "{few} and {most} of {RUNS}");
    }
}
