//! A pair as it is stored: its record, how it was measured, and its raw slots, so it can be judged again.

use std::time::Duration;

use bench_diff_core::{ClockPolicy, JudgeKind, Plan, Recording, Seed, Zone};

use super::json::Word;
use super::raw::nanoseconds;
use super::{End, PairRecord, RoundRecord};
use crate::record::{Measured, json};
use crate::settings::{Layouts, grammar};

/// The line of a decided pair, one object with its record and its source, and the lines of its rounds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredPair {
    pub(crate) record: PairRecord,
    pub(crate) source: SourceRecord,
    /// In their order; none if nothing was measured or the rounds are not stored.
    pub(crate) rounds: Vec<RoundRecord>,
}

/// The source of the record; `None` if nothing was measured.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct SourceRecord {
    pub(crate) plan: Option<PlanRecord>,
    /// The untimed work around slots, such as making inputs.
    pub(crate) call_notes: Option<Vec<String>>,
    /// True if allocations are not checked, since the old revision cannot count them. `None` in records of
    /// earlier versions.
    pub(crate) no_counts_in_old: Option<bool>,
}

/// The settings of the pair's measurement and judgement, besides its gate.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct PlanRecord {
    alpha: f64,
    beta: f64,
    slots: u64,
    max_time_ns: u64,
    warmup_ns: u64,
    layouts: Layouts,
    max_rounds: Option<usize>,
    ignore_below_ns: Option<f64>,
    /// The requested clock; the record has the chosen one.
    clock: Word<ClockPolicy>,
    /// The seed of the coin of this pair.
    coin: Word<Seed>,
}

impl StoredPair {
    /// A pair without the lines of its rounds, which are stored before it.
    pub(crate) fn new(record: PairRecord, measured: Option<&Measured>) -> Self {
        let source = SourceRecord {
            plan: measured.map(|measured| PlanRecord::new(&measured.plan, measured.layouts)),
            call_notes: measured.map(|measured| measured.call_notes.clone()),
            no_counts_in_old: measured.map(|measured| measured.lacks_counts_there),
        };
        Self { record, source, rounds: Vec::new() }
    }

    /// The stored line, without its line break.
    pub(crate) fn to_json(&self) -> String {
        json::join_objects(&self.record.to_json(), &json::to_string(&self.source))
    }

    /// Reads a stored line.
    ///
    /// # Errors
    ///
    /// The problem with it.
    pub(crate) fn from_json(text: &str) -> Result<Self, String> {
        // Each ignores the fields of the other.
        Ok(Self { record: PairRecord::from_json(text)?, source: json::from_str(text)?, rounds: Vec::new() })
    }

    /// The source of the record; `None` if nothing was measured.
    ///
    /// # Errors
    ///
    /// The problem with the stored values.
    pub(crate) fn measured(&self) -> Result<Option<Measured>, String> {
        let Some(plan) = &self.source.plan else { return Ok(None) };
        let (linked, rounds) = self.rounds()?;
        Ok(Some(Measured {
            plan: plan.plan(&self.record)?,
            layouts: plan.layouts,
            rounds,
            linked,
            call_notes: self.source.call_notes.clone().unwrap_or_default(),
            lacks_counts_there: self.source.no_counts_in_old == Some(true),
        }))
    }

    /// The measurement of the binary as linked beside random layouts, and those of the rounds that were
    /// judged.
    fn rounds(&self) -> Result<(Option<Recording>, Vec<Vec<Recording>>), String> {
        let (linked, judged) = match self.rounds.split_first() {
            Some((linked, judged)) if linked.round == 0 => (Some(linked), judged),
            _ => (None, &self.rounds[..]),
        };
        let Some((told, in_layouts)) = self.record.told_of_slots() else {
            return Err("slots without figures".to_owned());
        };
        if linked.is_some() != in_layouts {
            return Err("layouts without a round as linked, or such a round without layouts".to_owned());
        }
        let linked =
            linked.map(RoundRecord::recordings).transpose()?.and_then(|linked| linked.into_iter().next());
        let recordings: Vec<Vec<Recording>> =
            judged.iter().map(RoundRecord::recordings).collect::<Result<_, _>>()?;
        if recordings.iter().all(Vec::is_empty) {
            return Err("a plan without slots".to_owned());
        }
        if let Some((expected, round)) = (1..).zip(judged).find(|(number, round)| *number != round.round) {
            return Err(format!("round {} comes where round {expected} is expected", round.round));
        }
        let duos: usize = recordings.iter().flatten().map(|process| process.duos.len()).sum();
        if told != duos {
            return Err(format!("its record counts {told} duos, and {duos} are stored"));
        }
        Ok((linked, recordings))
    }
}

impl PairRecord {
    /// The number of its duos, and whether they were measured in layouts; none without slots.
    fn told_of_slots(&self) -> Option<(usize, bool)> {
        match &self.end {
            End::Measured(figures) => Some((figures.duos, figures.layouts.is_some())),
            End::Timed(timing) => Some((timing.duos, timing.latency.linked.is_some())),
            End::Ignored { .. } | End::Error { .. } => None,
        }
    }
}

impl PlanRecord {
    /// The record of a plan, with what its verdict is about.
    pub(crate) fn new(plan: &Plan, layouts: Layouts) -> Self {
        Self {
            alpha: plan.alpha,
            beta: plan.beta,
            slots: plan.slots,
            max_time_ns: nanoseconds(plan.max_time),
            warmup_ns: nanoseconds(plan.warmup),
            layouts,
            max_rounds: plan.max_rounds,
            ignore_below_ns: plan.ignore_below,
            clock: Word(plan.clock),
            coin: Word(plan.seed),
        }
    }

    /// The plan that this record and its pair describe.
    pub(crate) fn with(&self, zone: Option<Zone>, judge: JudgeKind) -> Plan {
        Plan {
            zone,
            judge,
            alpha: self.alpha,
            beta: self.beta,
            slots: self.slots,
            max_rounds: self.max_rounds,
            ignore_below: self.ignore_below_ns,
            max_time: Duration::from_nanos(self.max_time_ns),
            warmup: Duration::from_nanos(self.warmup_ns),
            clock: self.clock.0,
            seed: self.coin.0,
        }
    }

    fn plan(&self, record: &PairRecord) -> Result<Plan, String> {
        let is_rate = |rate: f64| rate > 0.0 && rate < grammar::LARGEST_ERROR_RATE;
        let fits = [
            ("alpha", is_rate(self.alpha)),
            ("beta", is_rate(self.beta)),
            ("slots", grammar::SLOTS.contains(&self.slots)),
            ("max_rounds", self.max_rounds.is_none_or(|rounds| grammar::ROUNDS.contains(&rounds))),
            ("ignore_below", self.ignore_below_ns.is_none_or(grammar::is_time_of_call)),
        ];
        if let Some((name, _)) = fits.iter().find(|(_, fits)| !fits) {
            return Err(format!("`{name}` of its plan is out of range"));
        }
        let zone = record.gate.as_ref().and_then(|gate| gate.gate().zone());
        Ok(self.with(zone, record.judge.0))
    }
}

#[cfg(test)]
mod tests {
    use bench_diff_core::JudgeKind;

    use super::*;
    use crate::fixture::{entry, entry_alone, equal, slower, stored_pairs};

    #[test]
    fn what_is_stored_comes_back() {
        let sequential = |entry: crate::register::PairEntry| entry.judge(JudgeKind::Sequential);
        let entries = [
            entry("a", 1, slower),
            entry("b", 2, equal).ignore("later"),
            sequential(entry("c", 3, slower)),
            sequential(entry("d", 4, equal)).layouts(Layouts::None),
            entry_alone("e", 5),
        ];
        for line in ["--judge sequential --max-slowdown 7%", ""] {
            for (pair, measured) in stored_pairs(line, &entries).1 {
                let text = pair.to_json();
                let rounds: Vec<String> = pair.rounds.iter().map(json::to_string).collect();
                let back = StoredPair {
                    rounds: rounds.iter().map(|round| json::from_str(round).unwrap()).collect(),
                    ..StoredPair::from_json(&text).unwrap()
                };
                assert_eq!(back, pair, "{text}");
                assert_eq!(back.measured().unwrap(), measured);
            }
        }
    }

    #[test]
    fn a_record_of_an_earlier_version_lacks_fields_and_is_read() {
        let pair = stored_pairs("", &[entry("a", 1, slower)]).1.remove(0).0;
        let mut record: serde_json::Value = serde_json::from_str(&pair.to_json()).unwrap();
        let fields = record.as_object_mut().unwrap();
        assert!(fields.remove("against").is_some());
        let back = StoredPair::from_json(&record.to_string()).unwrap().record;
        assert_eq!(back, PairRecord { against: None, ..pair.record });
    }

    #[test]
    fn rounds_that_do_not_fit_are_told() {
        let entries = [entry("a", 1, slower).judge(JudgeKind::Sequential)];
        let stored = stored_pairs("", &entries).1.remove(0).0;
        assert!(stored.rounds.len() > 2);
        let error = |change: fn(&mut StoredPair)| {
            let mut pair = stored.clone();
            change(&mut pair);
            pair.measured().unwrap_err()
        };
        assert_eq!(error(|pair| pair.rounds.clear()), "a plan without slots");
        assert_eq!(error(|pair| pair.rounds.swap(0, 1)), "round 2 comes where round 1 is expected");
        assert!(error(|pair| drop(pair.rounds.pop())).contains(" are stored"));
        assert!(
            error(|pair| pair.record = pair.record.clone().with(|figures| figures.duos = 1))
                .contains(" are stored")
        );
    }
}
