//! The record of a self-test: whether a gate passes what is equal and finds what is slow, on this machine.

use std::collections::HashMap;

use bench_diff_core::ExtraWork;

use super::{GateRecord, Outcome, PairRecord, SCHEMA};
use crate::plan::{Half, RunPlan};
use crate::system::exit::Exit;

/// What was found of a gate. A field without a value is null.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct SelfTestRecord {
    pub(crate) schema: u32,
    pub(crate) event: String,
    pub(crate) package: String,
    pub(crate) bench: String,
    /// The pair.
    pub(crate) name: String,
    pub(crate) gate: Option<GateRecord>,
    /// The outcome of the baseline beside itself.
    pub(crate) plain: Outcome,
    /// The outcome of the same with extra work.
    pub(crate) slowed: Outcome,
    /// The ratio of the two places with the extra work that was put in, by the calls of a slot.
    pub(crate) put_in: Option<f64>,
    /// The ratio that was measured.
    pub(crate) found: Option<f64>,
    /// The rounds after which the extra work was found, or given up; none where one process measured all.
    pub(crate) rounds: Option<usize>,
    /// The time that these took.
    pub(crate) elapsed_s: Option<f64>,
    /// Why the gate is blind, where it is.
    pub(crate) blind: Option<String>,
    /// Why it could not be tested, where that is so.
    pub(crate) reason: Option<String>,
}

impl SelfTestRecord {
    fn new(name: &str, ratio: Option<f64>, plain: &PairRecord, slowed: &PairRecord) -> Self {
        let put_in = ratio.zip(slowed.iterations).map(|(ratio, iterations)| {
            let share = ExtraWork::of(ratio, iterations).share_of(iterations);
            if ratio < 1.0 { (1.0 + share).recip() } else { 1.0 + share }
        });
        let is_error = |record: &&PairRecord| record.outcome == Outcome::Error;
        let reason = [plain, slowed]
            .into_iter()
            .find(is_error)
            .map(|record| record.reason.clone().unwrap_or_else(|| "it could not be measured".to_owned()));
        Self {
            schema: SCHEMA,
            event: "self_test".to_owned(),
            package: plain.package.clone(),
            bench: plain.bench.clone(),
            name: name.to_owned(),
            gate: slowed.gate.clone(),
            plain: plain.outcome,
            slowed: slowed.outcome,
            put_in,
            found: slowed.ratio,
            rounds: slowed.rounds.as_ref().map(|rounds| rounds.n),
            elapsed_s: slowed.elapsed_s,
            blind: if reason.is_some() { None } else { blind(plain, slowed) },
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

/// Why a gate is blind that ends its halves so.
fn blind(plain: &PairRecord, slowed: &PairRecord) -> Option<String> {
    let of_plain = match plain.outcome {
        Outcome::Pass => None,
        Outcome::Fail => Some("it fails what is equal".to_owned()),
        _ => Some(undecided("that what is equal passes", plain)),
    };
    let of_slowed = match slowed.outcome {
        Outcome::Fail => None,
        Outcome::Pass => Some("it passes what is too slow".to_owned()),
        _ => Some(undecided("that what is too slow fails", slowed)),
    };
    let causes: Vec<String> = of_plain.into_iter().chain(of_slowed).collect();
    (!causes.is_empty()).then(|| causes.join("\n"))
}

fn undecided(what: &str, half: &PairRecord) -> String {
    let reason = half.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("it cannot tell {what}{reason}")
}

/// Puts the halves of each test together.
#[derive(Debug)]
pub(crate) struct SelfTests {
    /// What each slowed half measures.
    ratios: HashMap<String, f64>,
    /// The halves whose other one is still to come, by the pair.
    waiting: HashMap<String, PairRecord>,
}

impl SelfTests {
    pub(crate) fn of(plan: &RunPlan) -> Self {
        let ratios = plan.pairs.iter().filter_map(|pair| Some((pair.name.clone(), pair.plan.self_test?)));
        Self { ratios: ratios.collect(), waiting: HashMap::new() }
    }

    /// Adds a half. What both say of the gate comes back with the second one, and the halves.
    pub(crate) fn add(&mut self, record: &PairRecord) -> Option<(SelfTestRecord, [PairRecord; 2])> {
        let (name, half) = Half::of(&record.name)?;
        let Some(other) = self.waiting.remove(name) else {
            self.waiting.insert(name.to_owned(), record.clone());
            return None;
        };
        let (plain, slowed) = match half {
            Half::Plain => (record.clone(), other),
            Half::Slowed => (other, record.clone()),
        };
        let ratio = self.ratios.get(&slowed.name).copied();
        Some((SelfTestRecord::new(name, ratio, &plain, &slowed), [plain, slowed]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_that_says_neither_is_blind_twice() {
        use Outcome::{Fail, Inconclusive, Pass};
        let record = |outcome| {
            let reason = (outcome == Inconclusive).then(|| "too noisy".to_owned());
            PairRecord { outcome, reason, ..PairRecord::default() }
        };
        let blind = |plain, slowed| blind(&record(plain), &record(slowed));
        assert_eq!(blind(Pass, Fail), None);
        assert_eq!(blind(Pass, Pass).as_deref(), Some("it passes what is too slow"));
        assert_eq!(blind(Fail, Fail).as_deref(), Some("it fails what is equal"));
        assert_eq!(
            blind(Inconclusive, Inconclusive).as_deref(),
            Some(
                "it cannot tell that what is equal passes: too noisy\n\
                 it cannot tell that what is too slow fails: too noisy"
            )
        );
    }
}
