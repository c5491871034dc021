//! The record of a pair.

use bench_diff_core::stats::Summary;
use bench_diff_core::{ClockKind, Duo, JudgeKind, MeasureError, Measurement, Recording};

use super::json::Word;
use super::kind::Kind;
use super::outcome::{outcome, reason};
use super::{
    AllocationsRecord, ByPlaceRecord, GateRecord, IgnoredRecord, IntervalRecord, LayoutsRecord, Notes,
    Outcome, OverheadRecord, RoundsRecord, SCHEMA, SummaryRecord, TailRecord, WelchRecord, finite,
};
use crate::call::probe::Check;
use crate::plan::{LastChange, LastRun, PairPlan, RunPlan};

/// One pair. A field without a value is null, never NaN.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct PairRecord {
    pub(crate) schema: u32,
    pub(crate) event: Kind,
    pub(crate) package: String,
    pub(crate) bench: String,
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    /// The baseline of several pairs of the run, where it is one of them.
    pub(crate) group: Option<String>,
    /// The baseline, by its path. None in records of earlier versions.
    pub(crate) against: Option<String>,
    pub(crate) outcome: Outcome,
    pub(crate) reason: Option<String>,
    /// What was printed while it was measured, where that ended in an error.
    pub(crate) output: Option<String>,
    pub(crate) check: Option<Word<Check>>,
    pub(crate) judge: Word<JudgeKind>,
    pub(crate) gate: Option<GateRecord>,
    pub(crate) ratio: Option<f64>,
    pub(crate) interval: Option<IntervalRecord>,
    /// None where the duos of one process were judged.
    pub(crate) rounds: Option<RoundsRecord>,
    /// What is known of random layouts; none where the rounds are those of the program as linked.
    pub(crate) layouts: Option<LayoutsRecord>,
    /// The latency of both functions by place; none where a round has not each place once.
    pub(crate) by_place: Option<ByPlaceRecord>,
    /// The program whose rounds were judged, by a name for its content; none where duos were, or rounds in
    /// layouts.
    pub(crate) program: Option<String>,
    /// Why it was judged in its place in this program, though layouts were asked for: a failure is then
    /// inconclusive.
    pub(crate) place: Option<String>,
    pub(crate) p_fail: Option<f64>,
    pub(crate) p_pass: Option<f64>,
    pub(crate) ln_e_fail: Option<f64>,
    pub(crate) ln_e_pass: Option<f64>,
    pub(crate) mde: Option<f64>,
    /// None where the tail is not judged.
    pub(crate) tail: Option<TailRecord>,
    /// None where every difference counts.
    pub(crate) ignored: Option<IgnoredRecord>,
    pub(crate) duos: Option<usize>,
    pub(crate) iterations: Option<u64>,
    pub(crate) clock: Option<Word<ClockKind>>,
    pub(crate) seed: String,
    pub(crate) elapsed_s: Option<f64>,
    pub(crate) welch: Option<WelchRecord>,
    pub(crate) overhead: Option<OverheadRecord>,
    /// What one call works on, where the attribute says it.
    pub(crate) bytes: Option<u64>,
    pub(crate) items: Option<u64>,
    pub(crate) candidate: Option<SummaryRecord>,
    pub(crate) baseline: Option<SummaryRecord>,
    /// None where nothing counted it.
    pub(crate) allocations: Option<AllocationsRecord>,
    /// The change in the run before this one, where that measured the pair alike.
    pub(crate) last_run: Option<LastChange>,
    /// What explains figures.
    pub(crate) notes: Vec<String>,
    /// What asks a reader to change something. None in records of earlier versions, whose `notes` have it.
    pub(crate) advice: Option<Vec<String>>,
    /// The command that measures this pair again with the same coin.
    pub(crate) repeat: String,
}

impl PairRecord {
    /// The same pair with what was measured of it, live or before; not judged where there is a reason for
    /// that.
    pub(crate) fn measured(
        mut self,
        unjudged: Option<&str>,
        measurement: &Measurement,
        Notes { advice, remarks }: Notes,
    ) -> Result<Self, MeasureError> {
        let judgement = &measurement.judgement;
        let summary = |side| Summary::of(&latencies(measurement, side));
        self.candidate = Some(summary(|duo| duo.candidate)?.into());
        self.baseline = Some(summary(|duo| duo.baseline)?.into());
        self.outcome = outcome(unjudged, judgement);
        self.reason = reason(unjudged, judgement);
        self.ratio = finite(judgement.ratio);
        self.interval = Some(judgement.interval.into());
        self.rounds = judgement.rounds.as_ref().map(RoundsRecord::from);
        self.program = self.program.filter(|_| self.rounds.is_some());
        // Of a record that is judged again, by other settings.
        (self.layouts, self.by_place, self.place) = (None, None, None);
        self.p_fail = judgement.p_fail.and_then(finite);
        self.p_pass = judgement.p_pass.and_then(finite);
        self.ln_e_fail = judgement.ln_e_fail.and_then(finite);
        self.ln_e_pass = judgement.ln_e_pass.and_then(finite);
        self.mde = judgement.mde.and_then(finite);
        self.tail = judgement.tail.as_ref().map(TailRecord::from);
        self.ignored = judgement.ignored.as_ref().map(IgnoredRecord::from);
        if let Some(ignored) = judgement.ignored {
            self.gate = self.gate.map(|gate| gate.with_bounds(ignored.zone));
        }
        let first = measurement.processes().next().map(|process| &process.warmup);
        self.duos = Some(measurement.duos().count());
        self.iterations = first.map(|warmup| warmup.iterations);
        self.clock = first.map(|warmup| Word(warmup.clock));
        self.elapsed_s = Some(measurement.elapsed().as_secs_f64());
        self.welch = Some(judgement.welch.into());
        self.overhead = measurement.overhead.map(OverheadRecord::from);
        (self.advice, self.notes) = (Some(advice), remarks);
        Ok(self.with_complaint_of_tail())
    }

    /// The same pair, whose rounds ran in random layouts where there is also one of the program as linked.
    pub(crate) fn in_layouts(
        self,
        linked: Option<&Recording>,
        recordings: &[Vec<Recording>],
        balanced: bool,
    ) -> Self {
        let Some((linked, rounds)) = linked.zip(self.rounds.as_ref()) else { return self };
        let of_programs = |round: &Vec<Recording>| round.iter().filter_map(Recording::contrast).collect();
        let layouts = LayoutsRecord {
            n: rounds.n,
            ratio: self.ratio,
            interval: self.interval,
            spread: rounds.spread,
            p_fail: self.p_fail,
            p_pass: self.p_pass,
            ln_e_fail: self.ln_e_fail,
            ln_e_pass: self.ln_e_pass,
            balanced: Some(balanced),
            linked: linked.contrast().map(f64::exp).and_then(finite),
            contrasts: rounds.contrasts.clone(),
            programs: Some(recordings.iter().map(of_programs).collect()),
        };
        let mut advice = self.advice.clone().unwrap_or_default();
        advice.extend(layouts.note(self.outcome, self.gate.as_ref(), linked.contrast_error()));
        let by_place = balanced.then(|| ByPlaceRecord::of(recordings));
        Self { layouts: Some(layouts), by_place, program: None, advice: Some(advice), ..self }
    }

    /// The same pair, which was judged in its place in this program for this reason, where there is one: its
    /// place may be all that a failure is about.
    pub(crate) fn in_its_place(mut self, why: Option<&str>) -> Self {
        let Some(why) = why.filter(|_| self.rounds.is_some()) else { return self };
        if self.outcome == Outcome::Fail && !self.fails_in_any_place() {
            self.outcome = Outcome::Inconclusive;
            self.reason = Some(format!("{PLACE_NOT_EXCLUDED}{why}"));
        }
        Self { place: Some(why.to_owned()), ..self }
    }

    /// The same pair in a CI job, where nobody reads what is green: an error where its place alone keeps it
    /// from failing.
    pub(crate) fn in_ci(self) -> Result<Self, String> {
        match &self.reason {
            Some(reason) if reason.starts_with(PLACE_NOT_EXCLUDED) => {
                let ratio = self.ratio.unwrap_or(f64::NAN);
                Err(format!(
                    "ratio {ratio:.4}, which fails as linked; {reason}; with CI set this is an error; `--layouts linked` \
                     judges the program as it is"
                ))
            }
            _ => Ok(self),
        }
    }

    /// The same pair, with how it had changed in the run before this one.
    pub(crate) fn after(self, last_run: &LastRun) -> Self {
        Self { last_run: last_run.change(&self.name, self.layouts.is_some()), ..self }
    }

    /// Whether both functions are one piece of code, so that their ratio is 1 by proof.
    pub(crate) fn is_one_code(&self) -> bool {
        self.interval.is_some_and(|ends| [ends.low, ends.high] == [Some(1.0); 2])
    }

    /// What asks its reader to change something about the benchmark or its machine.
    pub(crate) fn advice(&self) -> &[String] {
        self.advice.as_deref().unwrap_or_default()
    }

    /// The same pair as one that could not be judged, for this reason.
    pub(crate) fn failed(self, reason: String) -> Self {
        Self {
            outcome: Outcome::Error,
            reason: Some(reason),
            schema: self.schema,
            event: self.event,
            package: self.package,
            bench: self.bench,
            name: self.name,
            file: self.file,
            line: self.line,
            group: self.group,
            against: self.against,
            judge: self.judge,
            gate: self.gate,
            ignored: self.ignored,
            seed: self.seed,
            repeat: self.repeat,
            ..Self::default()
        }
    }

    /// The record of a pair of which there are no figures, for this reason.
    pub(crate) fn unmeasured(
        run: &RunPlan,
        pair: &PairPlan,
        outcome: Outcome,
        reason: Option<String>,
    ) -> Self {
        let PairPlan { name, registered, group, baseline, location, gate, plan, .. } = pair;
        let mut record = Self { schema: SCHEMA, line: location.line, outcome, reason, ..Self::default() };
        record.event = Kind::Pair;
        record.package = run.repetition.package.to_owned();
        record.bench.clone_from(&run.repetition.bench);
        record.name.clone_from(name);
        record.file = location.file.to_owned();
        record.group.clone_from(group);
        record.against.clone_from(baseline);
        record.judge = Word(plan.judge);
        record.gate = GateRecord::of(*gate, plan);
        record.seed = run.seed.to_string();
        record.repeat = run.repetition.command(registered);
        record.program.clone_from(&run.ids.program);
        record
    }
}

const PLACE_NOT_EXCLUDED: &str = "place not excluded: ";

#[expect(clippy::cast_precision_loss, reason = "a slot of 2^53 ns lasts 104 days")]
fn latencies(measurement: &Measurement, side: fn(&Duo) -> [u64; 2]) -> Vec<f64> {
    let latencies = measurement.processes().flat_map(|Recording { warmup, duos, .. }| {
        duos.iter().flat_map(side).map(move |slot| slot as f64 / warmup.iterations as f64)
    });
    latencies.collect()
}
