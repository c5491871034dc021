//! A pair whose functions are the same code. Its ratio is 1, whatever its slots show.

use super::{Judgement, Verdict};
use crate::gate::Zone;
use crate::note::Note;
use crate::stats::Interval;

impl Judgement {
    /// Replaces this judgement by what follows from the functions being the same.
    pub(crate) fn of_one_function(self, gate: Option<Zone>) -> Self {
        let verdict = gate.map(verdict);
        let p_of = |proven| verdict.map(|verdict| if verdict == proven { 0.0 } else { 1.0 });
        Self {
            verdict,
            ratio: 1.0,
            interval: Interval { low: 1.0, high: 1.0, ..self.interval },
            p_fail: p_of(Verdict::Fail),
            p_pass: p_of(Verdict::Pass),
            mde: None,
            notes: vec![Note::OneFunction],
            ..self
        }
    }
}

/// The verdict on a ratio of 1.
fn verdict(Zone { slower, faster }: Zone) -> Verdict {
    let is_broken = slower.lo < 0.0 || faster.is_some_and(|faster| faster.lo > 0.0);
    if is_broken { Verdict::Fail } else { Verdict::Pass }
}

#[cfg(test)]
mod tests {
    use crate::clock::ClockKind;
    use crate::duo::{Duo, Order};
    use crate::gate::Gate;
    use crate::judge::Verdict;
    use crate::note::Note;
    use crate::plan::{JudgeKind, Plan};
    use crate::sample::{Functions, Pair, Recording, Side, Warmup};
    use crate::simulation::{plan, simulate_pair};
    use crate::{ManualClock, Measurement};

    /// Slots in which a function is 3 % slower than itself.
    struct OneFunction<'a>(&'a ManualClock);

    impl Pair for OneFunction<'_> {
        fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
            let call = |microseconds| {
                let clock = self.0;
                move || clock.advance(std::time::Duration::from_micros(microseconds))
            };
            measure(Functions {
                candidate: Side::plain(&mut call(103)),
                baseline: Some(Side::plain(&mut call(100))),
                empty: Side::plain(&mut || ()),
            });
        }

        fn entries(&self) -> Option<[usize; 2]> {
            Some([1; 2])
        }
    }

    fn measured(gate: Gate, judge: JudgeKind) -> (Plan, Measurement) {
        let clock = ManualClock::new();
        let plan = Plan { zone: gate.zone(), judge, ..plan() };
        let measurement = simulate_pair(&clock, &plan, &mut OneFunction(&clock)).unwrap();
        (plan, measurement)
    }

    #[test]
    fn an_empty_function_compared_with_itself_passes_by_rounds() {
        let duo = Duo { order: Order::BaselineFirst, candidate: [1000; 2], baseline: [1000; 2] };
        let (duos, empty) = (vec![duo; 16], vec![990; 16]);
        let (clock, resolution) = (ClockKind::Wall, 1);
        let warmup = Warmup { duos: duos.clone(), empty, iterations: 100, clock, resolution };
        let round = Recording { is_one_function: true, ..Recording::of(warmup, duos) };
        let zone = Gate::MaxDifference(0.02).zone();
        let plan = Plan { zone, judge: JudgeKind::Sequential, max_rounds: Some(40), ..plan() };
        let judgement = Measurement::of(&plan, vec![vec![round]]).unwrap().judgement;
        assert_eq!((judgement.verdict, judgement.ratio), (Some(Verdict::Pass), 1.0));
    }

    #[test]
    fn one_function_has_the_ratio_1_whatever_its_slots_say() {
        for judge in JudgeKind::ALL {
            for (gate, verdict) in [
                (Gate::MaxSlowdown(0.02), Some(Verdict::Pass)),
                (Gate::MaxSlowdown(0.000_1), Some(Verdict::Pass)),
                (Gate::MaxDifference(0.02), Some(Verdict::Pass)),
                (Gate::MinSpeedup(1.5), Some(Verdict::Fail)),
                (Gate::MinSpeedup(1.000_1), Some(Verdict::Fail)),
                (Gate::MinSpeedup(1.0), Some(Verdict::Pass)),
                (Gate::MinSpeedup(0.5), Some(Verdict::Pass)),
                (Gate::ReportOnly, None),
            ] {
                let (plan, measurement) = measured(gate, judge);
                let judgement = &measurement.judgement;
                assert_eq!((judgement.verdict, judgement.ratio), (verdict, 1.0), "{gate:?}");
                assert_eq!((judgement.interval.low, judgement.interval.high), (1.0, 1.0));
                assert_eq!(judgement.notes, [Note::OneFunction]);
                assert_eq!(Measurement::of(&plan, measurement.rounds.clone()), Ok(measurement), "{gate:?}");
            }
        }
    }
}
