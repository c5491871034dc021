//! From a measurement to a record: its figures, the verdict, and the notes of the judge.

use std::sync::Arc;
use std::time::Duration;

use bench_diff_core::stats::Summary;
use bench_diff_core::{
    Duo, Judgement, MeasureError, Measurement, Note, Recording, Verdict, Warmup, slots_of,
};
use bench_diff_system::text::counted;

use super::{
    AllocationsOfOne, AllocationsRecord, Check, Differs, Doubt, End, Figures, IgnoredRecord, LatencyRecord,
    LayoutsRecord, NO_COUNTS_IN_OLD, OverheadRecord, PairRecord, RoundsRecord, SlotsRecord, Timing, finite,
};

/// The facts on a pair besides its measurement.
#[derive(Debug, Default)]
pub struct Facts<'f> {
    /// The reason if nothing is judged.
    pub unjudged: Option<&'f str>,
    /// Notes that explain figures, besides those of the judge.
    pub remarks: Vec<String>,
    /// The result of the check before the measurement.
    pub check: Option<Check>,
    /// The bytes of one call, if the attribute gives them.
    pub bytes: Option<u64>,
    /// The items of one call, if the attribute gives them.
    pub items: Option<u64>,
    /// The first difference in machine code, if bench_diff looked for one.
    pub differs: Option<Differs>,
    /// The measurement of the binary as linked, in addition to rounds in random layouts.
    pub linked: Option<&'f Recording>,
    /// The reason to report a slowdown as inconclusive, if there is one.
    pub doubt: Option<Doubt>,
    /// The allocations of counted calls; `None` if they were not counted.
    pub allocations: Option<AllocationsRecord>,
    /// True if a limit of allocations has no counts of the old side to be held against.
    pub lacks_counts_in_old: bool,
}

impl PairRecord {
    /// Adds a measurement and its verdict.
    ///
    /// # Errors
    ///
    /// If there are no figures of its slots.
    pub fn judged(mut self, measurement: &Measurement, facts: Facts<'_>) -> Result<Self, MeasureError> {
        let judgement = &measurement.judgement;
        let [advice, remarks] = notes(measurement, &facts);
        let (candidate, baseline) =
            (latencies(measurement, |duo| duo.candidate), latencies(measurement, |duo| duo.baseline));
        let is_one_function = measurement.rounds[0][0].is_one_function;
        self.ignored = judgement.ignored.as_ref().map(IgnoredRecord::from);
        if let Some(ignored) = judgement.ignored {
            self.gate = self.gate.map(|gate| gate.with_bounds(ignored.zone));
        }
        self.notes = remarks;
        self.end = End::Measured(Arc::new(Figures {
            verdict: judgement.verdict.filter(|_| facts.unjudged.is_none()),
            reason: reason(facts.unjudged, judgement),
            check: facts.check,
            same_code: is_one_function,
            differs: facts.differs.filter(|_| !is_one_function),
            ratio: judgement.ratio,
            interval: judgement.interval.into(),
            rounds: judgement.rounds.as_ref().map(RoundsRecord::from),
            p_fail: judgement.p_fail.and_then(finite),
            p_pass: judgement.p_pass.and_then(finite),
            mde: judgement.mde.and_then(finite),
            slots: slots(measurement, &candidate, (facts.bytes, facts.items), advice)?,
            welch: judgement.welch.into(),
            overhead: measurement.overhead.map(|overhead| OverheadRecord::of(&overhead, judgement)),
            baseline: Summary::of(&baseline)?.into(),
            ..Figures::default()
        }));
        let record = match facts.linked {
            Some(linked) => self.in_layouts(linked, &measurement.rounds),
            None => self,
        };
        Ok(record.doubted(facts.doubt).with_allocations(facts.allocations))
    }

    /// Adds the measurement of a function without a baseline.
    ///
    /// # Errors
    ///
    /// If there are no figures of its slots.
    pub fn timed(mut self, measurement: &Measurement, facts: &Facts<'_>) -> Result<Self, MeasureError> {
        let judgement = &measurement.judgement;
        let [advice, remarks] = notes(measurement, facts);
        let mut all = latencies(measurement, |duo| duo.candidate);
        all.extend(latencies(measurement, |duo| duo.baseline));
        self.notes = remarks;
        self.end = End::Timed(Box::new(Timing {
            latency: LatencyRecord {
                ns: judgement.ratio,
                interval: judgement.interval.into(),
                rounds: measurement.rounds.len(),
                linked: facts.linked.and_then(Recording::contrast).map(f64::exp).and_then(finite),
            },
            slots: slots(measurement, &all, (facts.bytes, facts.items), advice)?,
            allocations: facts
                .allocations
                .map(|AllocationsRecord { counted, candidate, .. }| AllocationsOfOne { counted, candidate }),
        }));
        Ok(self)
    }

    /// Marks the rounds as those of random layouts, beside the binary as linked.
    fn in_layouts(self, linked: &Recording, recordings: &[Vec<Recording>]) -> Self {
        let gate = self.gate.clone();
        self.with(|figures| {
            let Some(rounds) = &figures.rounds else { return };
            let of_programs = |round: &Vec<Recording>| round.iter().filter_map(Recording::contrast).collect();
            let layouts = LayoutsRecord {
                // A round at one offset is a single process.
                balanced: recordings.iter().all(|round| round.len() > 1),
                linked: linked.contrast().map(f64::exp).and_then(finite),
                programs: recordings.iter().map(of_programs).collect(),
            };
            let verdict = (figures.verdict, figures.ratio, rounds);
            figures.slots.advice.extend(layouts.note(verdict, gate.as_ref(), linked.contrast_error()));
            figures.layouts = Some(layouts);
        })
    }
}

/// The reason if there is no verdict.
fn reason(unjudged: Option<&str>, judgement: &Judgement) -> Option<String> {
    match (unjudged, judgement.verdict) {
        (Some(unjudged), _) => Some(unjudged.to_owned()),
        (None, Some(Verdict::Inconclusive)) => {
            // A function that does nothing is too short as well.
            let is_empty = judgement.notes.iter().any(|note| matches!(note, Note::Empty { .. }));
            let is_implied = |note: &Note| is_empty && matches!(note, Note::TooShort { .. });
            let causes = judgement.notes.iter().filter(|note| is_cause(note) && !is_implied(note));
            let causes: Vec<String> = causes.map(Note::to_string).collect();
            (!causes.is_empty()).then(|| causes.join("\n"))
        }
        (None, _) => None,
    }
}

/// Returns whether a note explains what keeps a judge from a verdict.
fn is_cause(note: &Note) -> bool {
    note.says_what_is_needed() || matches!(note, Note::TooShort { .. } | Note::Empty { .. })
}

/// The latency of each slot of a function.
#[expect(clippy::cast_precision_loss, reason = "a slot of 2^53 ns lasts 104 days")]
fn latencies(measurement: &Measurement, side: fn(&Duo) -> [u64; 2]) -> Vec<f64> {
    let latencies = measurement.processes().flat_map(|Recording { warmup, duos, .. }| {
        slots_of(duos, side).into_iter().map(move |slot| slot as f64 / warmup.iterations as f64)
    });
    latencies.collect()
}

/// What these latencies say by themselves, of calls with these bytes and items.
fn slots(
    measurement: &Measurement,
    latencies: &[f64],
    (bytes, items): (Option<u64>, Option<u64>),
    advice: Vec<String>,
) -> Result<SlotsRecord, MeasureError> {
    let Warmup { iterations, clock, .. } = measurement.rounds[0][0].warmup;
    Ok(SlotsRecord {
        duos: measurement.duos().count(),
        iterations,
        clock,
        elapsed_s: measurement.elapsed().as_secs_f64(),
        bytes,
        items,
        candidate: Summary::of(latencies)?.into(),
        advice,
    })
}

/// The notes of the judge and those on the calls: first those that ask the reader to change the benchmark or
/// its machine, then those that explain figures.
fn notes(measurement: &Measurement, facts: &Facts<'_>) -> [Vec<String>; 2] {
    let is_advice = |note: &&Note| matches!(note, Note::Empty { .. } | Note::OnAverage { .. });
    let (advice, remarks): (Vec<&Note>, _) = measurement.judgement.notes.iter().partition(is_advice);
    let texts = |notes: Vec<&Note>| notes.into_iter().map(Note::to_string).collect::<Vec<_>>();
    let (mut advice, mut remarks) = (texts(advice), texts(remarks));
    advice.extend(slow_start(measurement));
    advice.extend(facts.lacks_counts_in_old.then(|| NO_COUNTS_IN_OLD.to_owned()));
    remarks.extend_from_slice(&facts.remarks);
    if let Some(round) = measurement.processes().find(|process| process.limited_by_inputs) {
        let calls = counted(round.warmup.iterations as usize, "call");
        remarks.push(format!(
            "a slot has {calls}, because preparing more takes over 10 ms or 64 MiB, or exceeds the batch size"
        ));
    }
    [advice, remarks]
}

/// Explains why a pair took long although it was measured in a short time.
fn slow_start(measurement: &Measurement) -> Option<String> {
    const LONG: Duration = Duration::from_secs(2);
    // Of long functions, the first call alone takes as long as the slots.
    const SHARE: u32 = 4;

    let ready: Duration = measurement.processes().map(|process| process.preparing).sum();
    (ready >= LONG && ready >= SHARE * measurement.elapsed()).then(|| {
        format!(
            "getting ready took {:.1} s and measuring {:.1} s: every process of every round runs `setup_once` and \
             whatever the first call initializes",
            ready.as_secs_f64(),
            measurement.elapsed().as_secs_f64()
        )
    })
}

#[cfg(test)]
mod tests {
    use bench_diff_core::{Closures, Instruments, JudgeKind, ManualClock, Needed, Plan, Which, measure};

    use super::*;

    #[test]
    fn what_a_reader_has_to_act_on_is_told_apart_from_what_explains_figures() {
        let clock = ManualClock::new();
        let call = || clock.advance(Duration::from_micros(20));
        let judge = JudgeKind::Welch;
        let plan = Plan { judge, slots: 200, warmup: Duration::ZERO, max_rounds: None, ..Plan::default() };
        let mut pair = Closures::new(call, call);
        let mut measurement = measure(&Instruments::new(&clock), &mut pair, &plan).unwrap();
        let empty = Note::Empty { which: Which::Both };
        let undecided = Note::Differ { count: 12, of: "rounds", low: 0.0, high: 0.1, needed: Needed::Limit };
        measurement.judgement.notes = vec![empty, undecided, Note::OneFunction];
        let [advice, remarks] = notes(&measurement, &Facts::default());
        assert_eq!(advice, [empty.to_string()]);
        assert_eq!(remarks, [undecided, Note::OneFunction].map(|note| note.to_string()));

        measurement.judgement.notes = vec![Note::OnAverage { change: 0.4 }];
        measurement.rounds[0][0].elapsed = Duration::from_millis(1_500);
        measurement.rounds[0][0].preparing = Duration::from_millis(1_900);
        assert_eq!(notes(&measurement, &Facts::default())[0], [Note::OnAverage { change: 0.4 }.to_string()]);
        measurement.rounds[0][0].preparing = Duration::from_millis(30_040);
        let [advice, _] = notes(&measurement, &Facts::default());
        assert!(advice[1].starts_with("getting ready took 30.0 s and measuring 1.5 s: "), "{advice:?}");
    }
}
