//! A pair as it is stored: its record, and the raw slots that it can be judged by again.

use std::time::Duration;

use bench_diff_core::{ClockKind, ClockPolicy, Duo, JudgeKind, Order, OrderPolicy, Plan, Recording, Warmup};

use super::PairRecord;
use crate::event::Measured;
use crate::json;
use crate::values;

/// A line of a stored run: one object of a record and of its source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredPair {
    pub(crate) record: PairRecord,
    pub(crate) source: SourceRecord,
}

/// What the record was made of; none where nothing was measured.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct SourceRecord {
    pub(crate) plan: Option<PlanRecord>,
    pub(crate) raw: Option<RawRecord>,
}

/// How the pair was measured and judged, besides its gate.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct PlanRecord {
    alpha: f64,
    beta: f64,
    slots: u64,
    max_time_ns: u64,
    warmup_ns: u64,
    /// What was asked for; the record has what was chosen.
    clock: String,
    control: bool,
    /// The seed of the coin of this pair.
    coin: String,
}

/// Raw slots, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct RawRecord {
    iterations: u64,
    clock: String,
    resolution_ns: u64,
    is_one_function: bool,
    limited_by_inputs: bool,
    elapsed_ns: u64,
    warmup: DuosRecord,
    warmup_empty: Vec<u64>,
    duos: DuosRecord,
    empty: Vec<u64>,
    control: DuosRecord,
    remarks: Vec<String>,
}

/// Duos in columns.
#[derive(Clone, Debug, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
struct DuosRecord {
    /// The function that each duo starts and ends with: `b` for the baseline, `c` for the candidate.
    first: String,
    /// Four slots of each duo: two of the candidate, two of the baseline.
    slots: Vec<u64>,
}

impl StoredPair {
    pub(crate) fn new(record: PairRecord, measured: Option<&Measured>) -> Self {
        let plan = measured.map(|measured| PlanRecord::from(&measured.plan));
        Self { record, source: SourceRecord { plan, raw: measured.and_then(RawRecord::of) } }
    }

    /// The line that is stored, without its end.
    pub(crate) fn to_json(&self) -> String {
        json::join_objects(&json::to_string(&self.record), &json::to_string(&self.source))
    }

    /// A line that was stored.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(crate) fn from_json(text: &str) -> Result<Self, String> {
        // Each leaves out the fields of the other.
        Ok(Self { record: json::from_str(text)?, source: json::from_str(text)? })
    }

    /// What the record was made of; none where nothing was measured.
    ///
    /// # Errors
    ///
    /// What is wrong with the stored values.
    pub(crate) fn measured(&self) -> Result<Option<Measured>, String> {
        let (plan, raw) = match (&self.source.plan, &self.source.raw) {
            (Some(plan), Some(raw)) => (plan, raw),
            (None, None) => return Ok(None),
            _ => return Err("a plan without slots, or slots without a plan".to_owned()),
        };
        raw.agree_with(&self.record)?;
        Ok(Some(Measured {
            plan: plan.plan(&self.record)?,
            rounds: vec![raw.recording()?],
            remarks: raw.remarks.clone(),
        }))
    }

    /// Whether it has what the record was made of.
    pub(crate) fn has_source(&self) -> bool {
        self.source.plan.is_some() && self.source.raw.is_some()
    }

    /// The seed of the coin of this pair, where it was measured.
    pub(crate) fn coin(&self) -> Option<&str> {
        self.source.plan.as_ref().map(|plan| plan.coin.as_str())
    }
}

impl From<&Plan> for PlanRecord {
    fn from(plan: &Plan) -> Self {
        Self {
            alpha: plan.alpha,
            beta: plan.beta,
            slots: plan.slots,
            max_time_ns: nanoseconds(plan.max_time),
            warmup_ns: nanoseconds(plan.warmup),
            clock: plan.clock.name().to_owned(),
            control: plan.control,
            coin: plan.seed.to_string(),
        }
    }
}

impl PlanRecord {
    fn plan(&self, record: &PairRecord) -> Result<Plan, String> {
        for (name, rate) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(rate > 0.0 && rate < values::LARGEST_ERROR_RATE) {
                return Err(format!("`{name}` of its plan is {rate}, and has to be above 0 and below 0.5"));
            }
        }
        if !values::SLOTS.contains(&self.slots) {
            let (fewest, most) = values::SLOTS.into_inner();
            return Err(format!(
                "`slots` of its plan is {}, and has to be from {fewest} to {most}",
                self.slots
            ));
        }
        if let Some(gate) =
            record.gate.as_ref().filter(|gate| (gate.alpha, gate.beta) != (self.alpha, self.beta))
        {
            return Err(format!(
                "its plan has error rates of {} and {}, and its gate of {} and {}",
                self.alpha, self.beta, gate.alpha, gate.beta
            ));
        }
        Ok(Plan {
            zone: record.gate.as_ref().and_then(|gate| gate.gate().zone()),
            judge: values::named(&record.judge, &JudgeKind::ALL, JudgeKind::name)?,
            alpha: self.alpha,
            beta: self.beta,
            slots: self.slots,
            max_rounds: None,
            max_time: Duration::from_nanos(self.max_time_ns),
            warmup: Duration::from_nanos(self.warmup_ns),
            clock: values::named(&self.clock, &ClockPolicy::ALL, ClockPolicy::name)?,
            control: self.control,
            order: values::named(&record.order, &[OrderPolicy::Coin, OrderPolicy::Fixed], OrderPolicy::name)?,
            seed: values::seed(&self.coin)?,
        })
    }
}

impl RawRecord {
    fn of(measured: &Measured) -> Option<Self> {
        let Recording { warmup, duos, empty, control, is_one_function, limited_by_inputs, elapsed, .. } =
            measured.rounds.first()?;
        Some(Self {
            iterations: warmup.iterations,
            clock: warmup.clock.name().to_owned(),
            resolution_ns: warmup.resolution,
            is_one_function: *is_one_function,
            limited_by_inputs: *limited_by_inputs,
            elapsed_ns: nanoseconds(*elapsed),
            warmup: DuosRecord::new(&warmup.duos),
            warmup_empty: warmup.empty.clone(),
            duos: DuosRecord::new(duos),
            empty: empty.clone(),
            control: DuosRecord::new(control),
            remarks: measured.remarks.clone(),
        })
    }

    /// Refuses slots that are not those of a record.
    fn agree_with(&self, record: &PairRecord) -> Result<(), String> {
        if self.iterations == 0 || self.resolution_ns == 0 {
            return Err("slots without calls, or a clock without steps".to_owned());
        }
        let duos = self.duos.first.len();
        let slots = 2 * duos as u64;
        let sides = [record.candidate, record.baseline];
        if record.duos != Some(duos) || sides.iter().any(|side| side.is_none_or(|side| side.n != slots)) {
            return Err(format!("its record does not tell of the {duos} duos that are stored"));
        }
        if record.iterations != Some(self.iterations) || record.clock.as_deref() != Some(&self.clock) {
            return Err("its record and its slots are of other calls, or of another clock".to_owned());
        }
        Ok(())
    }

    fn recording(&self) -> Result<Recording, String> {
        Ok(Recording {
            warmup: Warmup {
                duos: self.warmup.duos()?,
                empty: self.warmup_empty.clone(),
                iterations: self.iterations,
                clock: values::named(&self.clock, &[ClockKind::Wall, ClockKind::Cpu], ClockKind::name)?,
                resolution: self.resolution_ns,
            },
            duos: self.duos.duos()?,
            empty: self.empty.clone(),
            control: self.control.duos()?,
            is_one_function: self.is_one_function,
            limited_by_inputs: self.limited_by_inputs,
            preparing: Duration::ZERO,
            elapsed: Duration::from_nanos(self.elapsed_ns),
        })
    }
}

impl DuosRecord {
    fn new(duos: &[Duo]) -> Self {
        let mut record = Self { first: String::new(), slots: Vec::with_capacity(4 * duos.len()) };
        for duo in duos {
            record.first.push(match duo.order {
                Order::BaselineFirst => 'b',
                Order::CandidateFirst => 'c',
            });
            record.slots.extend_from_slice(&duo.candidate);
            record.slots.extend_from_slice(&duo.baseline);
        }
        record
    }

    fn duos(&self) -> Result<Vec<Duo>, String> {
        let (slots, rest) = self.slots.as_chunks::<4>();
        if !rest.is_empty() || slots.len() != self.first.len() {
            return Err(format!("{} slots of {} duos", self.slots.len(), self.first.len()));
        }
        let mut duos = Vec::with_capacity(slots.len());
        for (first, [c1, c2, b1, b2]) in self.first.chars().zip(slots) {
            let order = match first {
                'b' => Order::BaselineFirst,
                'c' => Order::CandidateFirst,
                _ => return Err(format!("a duo that starts with `{first}`, neither `b` nor `c`")),
            };
            duos.push(Duo { order, candidate: [*c1, *c2], baseline: [*b1, *b2] });
        }
        Ok(duos)
    }
}

/// Up to 584 years.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use bench_diff_core::Instruments;

    use super::*;
    use crate::event::Event;
    use crate::fixture::{CLOCK, entry, equal, planned, slower};
    use crate::machine::Machine;
    use crate::run::run;

    fn stored(line: &str) -> Vec<(StoredPair, Option<Measured>)> {
        let plan = planned(line, &[entry("a", 1, slower), entry("b", 2, equal).ignore("later")]);
        let mut pairs = Vec::new();
        CLOCK.with(|clock| {
            run(&plan, &Machine::default(), &Instruments::new(clock), &mut |event| {
                if let Event::PairFinished { record, measured } = event {
                    pairs.push((StoredPair::new((*record).clone(), *measured), measured.cloned()));
                }
            })
        });
        pairs
    }

    #[test]
    fn what_is_stored_comes_back() {
        for line in ["--control", "--judge sequential --max-slowdown 7%", "--order fixed --clock wall"] {
            for (pair, measured) in stored(line) {
                let text = pair.to_json();
                let back = StoredPair::from_json(&text).unwrap();
                assert_eq!(back, pair, "{text}");
                assert_eq!(back.measured().unwrap(), measured);
            }
        }
    }

    #[test]
    fn slots_that_do_not_fit_are_told() {
        let duos =
            |first: &str, slots: usize| DuosRecord { first: first.to_owned(), slots: vec![1; slots] }.duos();
        assert_eq!(duos("bc", 8).unwrap().len(), 2);
        assert_eq!(duos("bc", 7).unwrap_err(), "7 slots of 2 duos");
        assert_eq!(duos("b", 8).unwrap_err(), "8 slots of 1 duos");
        assert!(duos("bx", 8).unwrap_err().contains("`x`"));
    }
}
