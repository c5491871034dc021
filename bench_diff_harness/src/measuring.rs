//! The measuring of one pair: the functions in, a record out.

use std::time::Duration;

use bench_diff_core::{Clocks, Control, Instruments, Measurement, Progress, measure};

use crate::event::{Event, Measured};
use crate::panics;
use crate::plan::{PairPlan, RunPlan};
use crate::probe::{Bench, Check, Comparison, Probe, check};
use crate::record::{Outcome, PairRecord};

/// Measures a pair, unless it is ignored.
pub(crate) fn run_pair<C: Clocks>(
    plan: &RunPlan,
    pair: &PairPlan,
    instruments: &Instruments<'_, C>,
    tell: &mut dyn FnMut(&Event<'_>),
) -> (PairRecord, Option<Measured>) {
    if let Some(reason) = pair.ignored {
        let reason = Some(reason).filter(|reason| !reason.is_empty()).map(str::to_owned);
        return (PairRecord::unmeasured(plan, pair, Outcome::Ignored, reason), None);
    }
    let mut progress = |progress| tell(&Event::Progress { run: plan, progress });
    // Where a call takes seconds, it takes long until there is more to tell.
    progress(Progress::Warmup { elapsed: Duration::ZERO });
    let mut measuring = Measuring { instruments, pair, progress: &mut progress, result: None };
    let measured = pair.run.clone().and_then(|run| panics::catch(|| run.0(&mut Probe::new(&mut measuring))));
    let measured = measured.and_then(|()| {
        let Found { check, measurement, remarks } =
            measuring.result.unwrap_or_else(|| Err("its registration measures nothing".to_owned()))?;
        let notes = notes(&measurement, &remarks);
        let record = PairRecord {
            check: Some(check.name().into()),
            ..PairRecord::unmeasured(plan, pair, Outcome::Measured, None)
        };
        let record =
            record.measured(plan.unjudged, &measurement, notes).map_err(|error| error.to_string())?;
        Ok((record, Some(Measured { plan: pair.plan, rounds: measurement.rounds, remarks })))
    });
    measured.unwrap_or_else(|reason| (PairRecord::unmeasured(plan, pair, Outcome::Error, Some(reason)), None))
}

/// What a reader should know, besides what the judge says, of what was measured.
pub(crate) fn notes(measurement: &Measurement, remarks: &[String]) -> Vec<String> {
    let mut notes: Vec<String> = measurement.judgement.notes.iter().map(ToString::to_string).collect();
    if measurement.control.as_ref().is_some_and(Control::is_significant) {
        notes.push(CONTROL_NOTE.to_owned());
    }
    notes.extend_from_slice(remarks);
    if let Some(round) = measurement.rounds.iter().find(|round| round.limited_by_inputs) {
        let calls = round.warmup.iterations;
        notes.push(format!(
            "slots of {calls} calls, since the inputs and outputs of more take over 10 ms or 64 MiB"
        ));
    }
    notes
}

const CONTROL_NOTE: &str = "the baseline differs from itself, which chance does to fewer than 5 % of the controls: \
    a difference of this size may be one of the machine";

/// Checks and measures the functions that a pair hands in.
struct Measuring<'a, C> {
    instruments: &'a Instruments<'a, C>,
    pair: &'a PairPlan,
    progress: &'a mut dyn FnMut(Progress),
    result: Option<Result<Found, String>>,
}

struct Found {
    check: Check,
    measurement: Measurement,
    /// What is done around slots, and what is odd about the functions.
    remarks: Vec<String>,
}

impl<C: Clocks> Measuring<'_, C> {
    fn measure(&mut self, functions: &mut dyn Comparison) -> Result<Found, String> {
        let check = check(functions, self.pair.arg.as_deref())?;
        let mut remarks = Vec::new();
        functions.lend(&mut |functions| {
            remarks.extend(functions.candidate.chores.map(|chores| chores.note().to_owned()));
        });
        let measurement = measure(self.instruments, functions, &self.pair.plan, self.progress);
        match functions.take_error() {
            Some(error) => Err(error),
            None => {
                Ok(Found { check, remarks, measurement: measurement.map_err(|error| error.to_string())? })
            }
        }
    }
}

impl<C: Clocks> Bench for Measuring<'_, C> {
    fn run(&mut self, functions: &mut dyn Comparison) {
        self.result = Some(self.measure(functions));
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use bench_diff_core::{Closures, JudgeKind, ManualClock, Plan};

    use super::*;
    use crate::cases::Cases;
    use crate::entry::PairEntry;
    use crate::exit::Exit;
    use crate::fixture::{
        CLOCK, entry, equal, owned, panicking, pass, planned, ran, same, slower, timeless, unsettled,
    };
    use crate::value::Never;

    #[test]
    fn errors_say_what_happened() {
        let (_, records, _) = ran(
            "",
            &[entry("a", 1, panicking), entry("b", 2, timeless), entry("c", 3, |cases| cases.add(|_| {}))],
        );
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
        assert_eq!((record.name.as_str(), record.line), ("a", 7));
        assert_eq!(record.file, "benches/sorting.rs");
        assert!((record.ratio.unwrap() - 1.05).abs() < 0.002, "{record:?}");
        assert_eq!((record.duos, record.iterations), (Some(100), Some(1)));
        assert_eq!(
            (&*record.judge, record.clock.as_deref(), &*record.order, record.check.as_deref()),
            ("welch", Some("wall"), "coin", Some("none"))
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
        let check = end.elapsed_s - record.elapsed_s.unwrap();
        assert!((40e-6..50e-6).contains(&check), "one call of each before the measurement: {check}");
    }

    /// The reasons of these pairs, which all end in errors.
    fn reasons(entries: &[PairEntry]) -> Vec<String> {
        let (exit, records, _) = ran("", entries);
        assert_eq!(exit, Exit::Error);
        records.into_iter().map(|record| record.reason.unwrap()).collect()
    }

    #[test]
    fn an_inconclusive_pair_has_the_cause_as_its_reason() {
        let open = entry("open", 1, unsettled).judge(JudgeKind::Sequential).max_time(100_000_000);
        let (_, records, _) = ran("", &[open]);
        let record = &records[0];
        assert_eq!(record.outcome, Outcome::Inconclusive, "{record:?}");
        let reason = record.reason.as_deref().unwrap();
        assert!(reason.starts_with("too noisy to be decided in time: "), "{reason}");
    }

    #[test]
    fn different_outputs_are_an_error_that_shows_the_arg() {
        fn wrong(cases: &mut Cases) {
            cases.add_arg("a b".to_owned(), |probe| probe.compare_0(|| 1, || 2, Ok, same));
        }
        let expected = "the outputs differ\n  candidate: 1\n  baseline:  2\n  arg:       a b";
        assert_eq!(reasons(&[entry("a", 1, wrong)]), [expected]);
    }

    #[test]
    fn an_err_is_never_timed_silently() {
        /// Fails with the call after this many.
        fn failing(cases: &mut Cases, after: u64) {
            let calls = Cell::new(0);
            let function = move || {
                pass(20_000);
                calls.set(calls.get() + 1);
                if calls.get() > after { Err(format!("no {}", calls.get())) } else { Ok(()) }
            };
            cases.add(move |probe| probe.compare_0(&function, || Ok(()), |output| output, same));
        }
        fn at_once(cases: &mut Cases) {
            failing(cases, 0);
        }
        fn later(cases: &mut Cases) {
            failing(cases, 100);
        }
        let reasons = reasons(&[entry("a", 1, at_once), entry("b", 2, later)]);
        assert_eq!(
            reasons,
            ["the candidate returned an error: no 1", "the candidate returned an error: no 101"]
        );
    }

    #[test]
    fn inputs_that_limit_the_slots_are_noted() {
        fn costly(cases: &mut Cases) {
            #[derive(Clone, PartialEq, Debug)]
            struct Costly(Vec<u8>);
            let make = || {
                CLOCK.with(|clock| clock.advance(Duration::from_millis(1)));
                Costly(Vec::new())
            };
            let function = |_: Costly| pass(1_000);
            cases.add(move |probe| probe.by_value_1(function, function, make, |_| Never, Ok, same));
        }
        let (_, records, _) = ran("", &[entry("a", 1, costly)]);
        assert_eq!(records[0].iterations, Some(8));
        assert_eq!(
            records[0].notes,
            [
                "inputs are made before each slot, untimed",
                "slots of 8 calls, since the inputs and outputs of more take over 10 ms or 64 MiB"
            ]
        );
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
        assert_eq!(notes(&measurement, &[]), [""; 0]);
        measurement.control.as_mut().unwrap().interval.low = 1.001;
        assert_eq!(notes(&measurement, &["chores".to_owned()]), [CONTROL_NOTE, "chores"]);
    }

    #[test]
    fn outputs_that_need_a_drop_are_noted() {
        let (_, records, _) = ran("", &[entry("a", 1, owned), entry("b", 2, equal)]);
        assert_eq!(records[0].notes, ["outputs are dropped after each slot, untimed"]);
        let checks = [&records[0], &records[1]].map(|record| record.check.as_deref());
        assert_eq!(checks, [Some("equal"), Some("none")]);
        assert!(records[1].notes.is_empty());
    }
}
