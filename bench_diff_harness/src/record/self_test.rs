//! The record of a self-test: whether a gate passes what is equal and finds what is slow, on this machine.

use std::collections::HashMap;

use bench_diff_core::{ExtraWork, Plan};

use super::kind::Kind;
use super::{FailedGate, GateRecord, Outcome, PairRecord, SCHEMA};
use crate::plan::{RunPlan, SelfTestCase, times_put_in};
use crate::system::exit::Exit;

/// The findings on a gate. A field without a value is null.
#[derive(Clone, Debug, PartialEq, miniserde::Serialize)]
pub(crate) struct SelfTestRecord {
    pub(crate) schema: u32,
    pub(crate) event: Kind,
    pub(crate) package: String,
    pub(crate) bench: String,
    /// The pair.
    pub(crate) name: String,
    pub(crate) gate: Option<GateRecord>,
    /// The margin of its gate on slow calls, where that is the gate that is tested.
    pub(crate) max_tail: Option<f64>,
    /// The outcome of the baseline beside itself.
    pub(crate) plain: Outcome,
    /// The outcome of the same with extra work.
    pub(crate) slowed: Outcome,
    /// The ratio of the two places with the extra work that was put in, by the calls of a slot; of a gate on
    /// slow calls how many times as many of them there were to be.
    pub(crate) put_in: Option<f64>,
    /// The measured effect.
    pub(crate) found: Option<f64>,
    /// The rounds after which the extra work was found, or given up; none where one process measured all.
    pub(crate) rounds: Option<usize>,
    /// The time that these took.
    pub(crate) elapsed_s: Option<f64>,
    /// The reason if the gate is blind.
    pub(crate) blind: Option<String>,
    /// The reason if it could not be tested.
    pub(crate) reason: Option<String>,
}

impl SelfTestRecord {
    /// Judges a gate by the measurement that has to pass and the one that has to fail.
    fn new(name: &str, plan: &Plan, half: SelfTestCase, [plain, slowed]: [&PairRecord; 2]) -> Self {
        let max_tail = plan.max_tail.filter(|_| half == SelfTestCase::SlowCalls);
        let figures = slowed.figures();
        let put_in = || {
            let (ratio, iterations) = (plan.self_test?.ratio, figures?.iterations);
            let share = ExtraWork::of(ratio, iterations).share_of(iterations);
            Some(if ratio < 1.0 { (1.0 + share).recip() } else { 1.0 + share })
        };
        let (put_in, found) = match max_tail {
            None => (put_in(), figures.map(|figures| figures.ratio)),
            Some(margin) => (
                figures.map(|_| times_put_in(margin)),
                figures.and_then(|figures| figures.tail).and_then(|tail| tail.times()),
            ),
        };
        let failed = [plain, slowed].into_iter().find(|half| half.outcome() == Outcome::Error);
        let reason = failed.and_then(PairRecord::reason);
        Self {
            schema: SCHEMA,
            event: Kind::SelfTest,
            package: plain.package.clone(),
            bench: plain.bench.clone(),
            name: name.to_owned(),
            gate: slowed.gate.clone(),
            max_tail,
            plain: outcome(plain, max_tail.is_some()),
            slowed: outcome(slowed, max_tail.is_some()),
            put_in,
            found,
            rounds: figures.and_then(|figures| Some(figures.rounds.as_ref()?.n)),
            elapsed_s: figures.map(|figures| figures.elapsed_s),
            blind: if reason.is_some() { None } else { blind(plain, slowed, max_tail.is_some()) },
            reason,
        }
    }

    pub(crate) fn exit(&self) -> Exit {
        match (&self.reason, &self.blind) {
            (Some(_), _) => Exit::Error,
            (None, Some(_)) => Exit::Failure,
            (None, None) => Exit::Success,
        }
    }
}

/// The outcome of one of the gates of the pair: of the one on slow calls, or of the one on the typical call.
fn outcome(half: &PairRecord, of_tail: bool) -> Outcome {
    let of_ratio = || half.proven_of_ratio().filter(|_| half.proven_of_tail().is_some());
    if of_tail { half.proven_of_tail() } else { of_ratio() }.unwrap_or(half.outcome())
}

/// The reason that a gate with these two measurements is blind.
fn blind(plain: &PairRecord, slowed: &PairRecord, of_tail: bool) -> Option<String> {
    let slow = if of_tail { "a candidate with slow calls" } else { "a slower candidate" };
    let of_plain = match outcome(plain, of_tail) {
        Outcome::Pass => None,
        Outcome::Fail => Some("it fails an equal candidate".to_owned()),
        _ => Some(undecided("an equal candidate passes", plain)),
    };
    let of_slowed = match outcome(slowed, of_tail) {
        _ if of_tail && slowed.failed_gate() == Some(FailedGate::Ratio) => {
            Some(format!("{slow} fails by its typical call"))
        }
        Outcome::Fail => None,
        Outcome::Pass => Some(format!("it passes {slow}")),
        _ => Some(undecided(&format!("{slow} fails"), slowed)),
    };
    let causes: Vec<String> = of_plain.into_iter().chain(of_slowed).collect();
    (!causes.is_empty()).then(|| causes.join("\n"))
}

fn undecided(what: &str, half: &PairRecord) -> String {
    let reason = half.reason().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("it cannot tell that {what}{reason}")
}

/// Puts the halves of each test together.
#[derive(Debug)]
pub(crate) struct SelfTests {
    /// The plan of each measurement, by its name.
    plans: HashMap<String, Plan>,
    measured: Vec<PairRecord>,
}

impl SelfTests {
    pub(crate) fn of(plan: &RunPlan) -> Self {
        let plans = plan.pairs.iter().map(|pair| (pair.name.clone(), pair.plan));
        Self { plans: plans.collect(), measured: Vec::new() }
    }

    /// Adds a half. What all of them say of the gates of their pair comes back with the last one.
    pub(crate) fn add(&mut self, record: &PairRecord) -> Vec<SelfTestRecord> {
        let Some((name, _)) = SelfTestCase::of(&record.name) else { return Vec::new() };
        self.measured.push(record.clone());
        let mut halves = Vec::new();
        for half in SelfTestCase::ALL {
            let Some(plan) = self.plans.get(&half.name(name)) else { continue };
            let measured = self.measured.iter().find(|record| record.name == half.name(name));
            let Some(measured) = measured else { return Vec::new() };
            halves.push((half, plan, measured));
        }
        let Some(((_, _, plain), others)) = halves.split_first() else { return Vec::new() };
        others
            .iter()
            .map(|(half, plan, slowed)| SelfTestRecord::new(name, plan, *half, [*plain, *slowed]))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Figures;

    #[test]
    fn a_gate_that_says_neither_is_blind_twice() {
        use Outcome::{Fail, Inconclusive, Pass};
        let record = |outcome| {
            let reason = (outcome == Inconclusive).then(|| "too noisy".to_owned());
            PairRecord::from(Figures { outcome, reason, ..Figures::default() })
        };
        let of_tail = |plain, slowed| blind(&record(plain), &record(slowed), true);
        assert_eq!(of_tail(Pass, Pass).as_deref(), Some("it passes a candidate with slow calls"));
        assert_eq!(
            of_tail(Pass, Fail).as_deref(),
            Some("a candidate with slow calls fails by its typical call")
        );
        let blind = |plain, slowed| blind(&record(plain), &record(slowed), false);
        assert_eq!(blind(Pass, Fail), None);
        assert_eq!(blind(Pass, Pass).as_deref(), Some("it passes a slower candidate"));
        assert_eq!(blind(Fail, Fail).as_deref(), Some("it fails an equal candidate"));
        assert_eq!(
            blind(Inconclusive, Inconclusive).as_deref(),
            Some(
                "it cannot tell that an equal candidate passes: too noisy\n\
                 it cannot tell that a slower candidate fails: too noisy"
            )
        );
    }
}
