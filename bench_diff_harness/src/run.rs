//! The run: the plan in, events out.

use bench_diff_core::{Clock, Clocks, Instruments, MeasureError, Measurement, Pair, Plan, Progress, measure};

use crate::event::Event;
use crate::exit::Exit;
use crate::exit_guard::ExitGuard;
use crate::machine::Machine;
use crate::panics;
use crate::plan::{PairPlan, RunPlan};
use crate::probe::{Bench, Probe};
use crate::record::{Outcome, PairRecord, RunRecord};

/// Measures the planned pairs one after the other and tells what happens.
pub(crate) fn run<C: Clocks>(
    plan: &RunPlan,
    machine: &Machine,
    instruments: &Instruments<'_, C>,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Exit {
    let guard = ExitGuard::new();
    let clock = instruments.clocks().wall();
    let start = clock.now();
    tell(&Event::RunStarted { plan, machine });
    let mut outcomes = Vec::with_capacity(plan.pairs.len());
    for (index, pair) in plan.pairs.iter().enumerate() {
        guard.pair(&pair.name);
        tell(&Event::PairStarted(index));
        let record = run_pair(plan, pair, instruments, tell);
        tell(&Event::PairFinished(&record));
        outcomes.push(record.outcome);
        if plan.fail_fast && exit_of(plan, record.outcome) != Exit::Success {
            break;
        }
    }
    let elapsed = clock.nanoseconds(start, clock.now());
    #[expect(clippy::cast_precision_loss, reason = "a run of 2^53 ns lasts 104 days")]
    let record = RunRecord::of(machine, outcomes.iter().copied(), elapsed as f64 / 1e9);
    tell(&Event::RunFinished(&record));
    outcomes.into_iter().map(|outcome| exit_of(plan, outcome)).max().unwrap_or(Exit::Success)
}

fn exit_of(plan: &RunPlan, outcome: Outcome) -> Exit {
    match outcome {
        Outcome::Fail => Exit::Failure,
        Outcome::Inconclusive if plan.strict => Exit::Failure,
        Outcome::Error => Exit::Error,
        Outcome::Pass | Outcome::Inconclusive | Outcome::Ignored | Outcome::Measured => Exit::Success,
    }
}

fn run_pair<C: Clocks>(
    plan: &RunPlan,
    pair: &PairPlan,
    instruments: &Instruments<'_, C>,
    tell: &mut dyn FnMut(&Event<'_>),
) -> PairRecord {
    if let Some(reason) = pair.ignored {
        let reason = Some(reason).filter(|reason| !reason.is_empty()).map(str::to_owned);
        return PairRecord::unmeasured(plan, pair, Outcome::Ignored, reason);
    }
    let mut progress = |progress| tell(&Event::Progress { pair, progress });
    let mut measuring =
        Measuring { instruments, plan: &pair.plan, progress: &mut progress, chores: false, result: None };
    let caught = panics::catch(|| (pair.run)(&mut Probe::new(&mut measuring)));
    let Measuring { chores, result, .. } = measuring;
    let measured = caught.and_then(|()| match result {
        Some(Ok(measurement)) => {
            let notes = notes(&measurement, chores);
            PairRecord::measured(plan, pair, &measurement, notes).map_err(|error| error.to_string())
        }
        Some(Err(error)) => Err(error.to_string()),
        None => Err("its registration measures nothing".to_owned()),
    });
    measured.unwrap_or_else(|reason| PairRecord::unmeasured(plan, pair, Outcome::Error, Some(reason)))
}

fn notes(measurement: &Measurement, chores: bool) -> Vec<String> {
    let of_judge = measurement.judgement.notes.iter().map(ToString::to_string);
    let control =
        measurement.control.as_ref().filter(|control| control.is_significant()).map(|_| CONTROL_NOTE);
    let others = control.into_iter().chain(chores.then_some(CHORES_NOTE)).map(str::to_owned);
    of_judge.chain(others).collect()
}

const CONTROL_NOTE: &str = "the baseline differs from itself: a difference of this size is not one of the functions, \
    but of the machine or of where code and data lie";

const CHORES_NOTE: &str = "outputs are dropped after each slot, untimed";

/// Measures the functions that a pair hands in.
struct Measuring<'a, C> {
    instruments: &'a Instruments<'a, C>,
    plan: &'a Plan,
    progress: &'a mut dyn FnMut(Progress),
    chores: bool,
    result: Option<Result<Measurement, MeasureError>>,
}

impl<C: Clocks> Bench for Measuring<'_, C> {
    fn run(&mut self, pair: &mut dyn Pair) {
        pair.lend(&mut |functions| self.chores = functions.candidate.chores.is_some());
        self.result = Some(measure(self.instruments, pair, self.plan, self.progress));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bench_diff_core::{Closures, ManualClock};

    use super::*;
    use crate::entry::PairEntry;
    use crate::fixture::{CLOCK, entry, equal, owned, panicking, planned, slower, timeless, unsettled};

    /// Runs these entries under this command line.
    fn ran(line: &str, entries: &[PairEntry]) -> (Exit, Vec<PairRecord>, RunRecord) {
        let plan = planned(line, entries);
        let (mut pairs, mut end) = (Vec::new(), RunRecord::default());
        let exit = CLOCK.with(|clock| {
            run(&plan, &Machine::default(), &Instruments::new(clock), &mut |event| match event {
                Event::PairFinished(record) => pairs.push((*record).clone()),
                Event::RunFinished(record) => end = (*record).clone(),
                Event::RunStarted { .. } | Event::PairStarted(_) | Event::Progress { .. } => {}
            })
        });
        (exit, pairs, end)
    }

    fn outcomes(line: &str, entries: &[PairEntry]) -> (Exit, Vec<Outcome>) {
        let (exit, records, _) = ran(line, entries);
        (exit, records.iter().map(|record| record.outcome).collect())
    }

    #[test]
    fn outcomes_decide_the_exit_code() {
        use Outcome::{Error, Fail, Ignored, Inconclusive, Measured, Pass};
        let fair = entry("fair", 1, equal);
        let slow = entry("slow", 2, slower);
        let open = entry("open", 3, unsettled).alpha(1e-9).beta(1e-9);
        let broken = entry("broken", 4, panicking);
        let after = entry("after", 9, equal);
        let left_out = entry("left_out", 5, slower).ignore("");
        let reported = entry("reported", 6, slower).report_only();

        assert_eq!(outcomes("", &[fair]), (Exit::Success, vec![Pass]));
        assert_eq!(outcomes("", &[fair, slow]), (Exit::Failure, vec![Pass, Fail]));
        assert_eq!(outcomes("", &[open]), (Exit::Success, vec![Inconclusive]));
        assert_eq!(outcomes("--strict", &[open]), (Exit::Failure, vec![Inconclusive]));
        assert_eq!(outcomes("", &[left_out, reported]), (Exit::Success, vec![Ignored, Measured]));
        assert_eq!(outcomes("", &[fair, slow, broken]), (Exit::Error, vec![Pass, Fail, Error]), "3 wins");
        assert_eq!(outcomes("", &[broken, after]), (Exit::Error, vec![Error, Pass]), "the rest goes on");
        assert_eq!(outcomes("nothing", &[slow]), (Exit::Success, vec![]));
        assert_eq!(outcomes("--order fixed", &[slow]), (Exit::Success, vec![Measured]));
    }

    #[test]
    fn fail_fast_stops_after_what_does_not_pass() {
        let pairs = [entry("a", 1, equal), entry("b", 2, slower), entry("c", 3, equal)];
        assert_eq!(outcomes("--fail-fast", &pairs), (Exit::Failure, vec![Outcome::Pass, Outcome::Fail]));
        let open = [entry("a", 1, unsettled).alpha(1e-9).beta(1e-9), entry("b", 2, equal)];
        assert_eq!(outcomes("--fail-fast", &open).1.len(), 2);
        assert_eq!(outcomes("--fail-fast --strict", &open).1.len(), 1);
    }

    #[test]
    fn errors_say_what_happened() {
        let (_, records, _) =
            ran("", &[entry("a", 1, panicking), entry("b", 2, timeless), entry("c", 3, |_| {})]);
        let reasons: Vec<&str> = records.iter().map(|record| record.reason.as_deref().unwrap()).collect();
        assert!(reasons[0].contains("fixture.rs") && reasons[0].ends_with("out of order"), "{}", reasons[0]);
        assert!(reasons[1].contains("no time that the clock can see"), "{}", reasons[1]);
        assert!(reasons[2].contains("measures nothing"), "{}", reasons[2]);
        assert!(records.iter().all(|record| record.ratio.is_none() && record.welch.is_none()));
    }

    #[test]
    fn a_record_holds_what_was_measured() {
        let (_, records, end) = ran("--seed 8f3a", &[entry("a", 7, slower)]);
        let record = &records[0];
        assert_eq!((record.name.as_str(), record.file, record.line), ("a", "benches/sorting.rs", 7));
        assert!((record.ratio.unwrap() - 1.05).abs() < 0.002, "{record:?}");
        assert_eq!((record.duos, record.iterations), (Some(100), Some(1)));
        assert_eq!(
            (record.judge, record.clock, record.order, record.check),
            ("welch", Some("wall"), "coin", "none")
        );
        assert_eq!(record.seed, "0000000000008f3a");
        let (candidate, baseline) = (record.candidate.unwrap(), record.baseline.unwrap());
        assert_eq!((candidate.n, baseline.n), (200, 200));
        assert!((candidate.median / baseline.median - 1.05).abs() < 0.005);
        assert!(record.p_fail.unwrap() < 1e-6 && record.p_pass.unwrap() > 0.99);
        assert_eq!((record.ln_e_fail, record.ln_e_pass), (None, None));
        let overhead = record.overhead.unwrap();
        assert!(overhead.share < 1e-3 && overhead.net_ratio.is_none(), "{overhead:?}");
        assert_eq!((end.failed, end.passed), (1, 0));
        assert!((end.elapsed_s - record.elapsed_s.unwrap()).abs() < 1e-9);
    }

    #[test]
    fn a_control_stands_beside_its_pair() {
        let record = |line| ran(line, &[entry("a", 1, slower)]).1.remove(0);
        let (with, without) = (record("--control"), record(""));
        let control = with.control.unwrap();
        assert!((control.ratio.unwrap() - 1.0).abs() < 0.003, "{control:?}");
        assert_eq!((with.outcome, with.duos), (without.outcome, without.duos));
        assert_eq!(without.control, None);
    }

    #[test]
    fn a_control_that_differs_is_noted() {
        let clock = ManualClock::new();
        let call = || clock.advance(Duration::from_micros(20));
        let plan = Plan { control: true, ..planned("", &[entry("a", 1, equal)]).pairs[0].plan };
        let mut pair = Closures::new(call, call);
        let mut measurement = measure(&Instruments::new(&clock), &mut pair, &plan, &mut |_| {}).unwrap();
        assert_eq!(notes(&measurement, false), [""; 0]);
        measurement.control.as_mut().unwrap().interval.low = 1.001;
        assert_eq!(notes(&measurement, true), [CONTROL_NOTE, CHORES_NOTE]);
    }

    #[test]
    fn outputs_that_need_a_drop_are_noted() {
        let (_, records, _) = ran("", &[entry("a", 1, owned), entry("b", 2, equal)]);
        assert_eq!(records[0].notes, [CHORES_NOTE]);
        assert!(records[1].notes.is_empty());
    }
}
