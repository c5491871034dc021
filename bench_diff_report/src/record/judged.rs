//! The record of a measured pair.

use std::sync::Arc;

use bench_diff_core::stats::Summary;
use bench_diff_core::{MeasureError, Measurement, Recording};

use super::finite;
use super::latency::latencies;
use super::outcome::{outcome, reason};
use super::pair_record::NO_COUNTS_THERE;
use super::{
    AllocationsRecord, Check, Differs, Doubt, End, Figures, IgnoredRecord, LayoutsRecord, OverheadRecord,
    PairRecord, RoundsRecord, notes,
};

/// The facts on a pair besides its measurement.
#[derive(Debug, Default)]
pub struct Facts<'f> {
    /// The reason if nothing is judged.
    pub unjudged: Option<&'f str>,
    /// The reason for no verdict, if it is not the judge's.
    pub undecided: Option<String>,
    /// Notes that explain figures, besides those of the judge.
    pub remarks: Vec<String>,
    /// The result of the check before the measurement.
    pub check: Option<Check>,
    /// The bytes and the items of one call, if the attribute gives them.
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
    pub lacks_counts_there: bool,
}

impl PairRecord {
    /// Adds a measurement and its verdict.
    ///
    /// # Errors
    ///
    /// If there are no figures of its slots.
    pub fn judged(mut self, measurement: &Measurement, facts: Facts<'_>) -> Result<Self, MeasureError> {
        let judgement = &measurement.judgement;
        let [mut advice, remarks] = notes(measurement, &facts.remarks);
        advice.extend(facts.lacks_counts_there.then(|| NO_COUNTS_THERE.to_owned()));
        let summary = |side| Summary::of(&latencies(measurement, side));
        let (candidate, baseline) = (summary(|duo| duo.candidate)?, summary(|duo| duo.baseline)?);
        let first = &measurement.rounds[0][0];
        self.ignored = judgement.ignored.as_ref().map(IgnoredRecord::from);
        if let Some(ignored) = judgement.ignored {
            self.gate = self.gate.map(|gate| gate.with_bounds(ignored.zone));
        }
        self.notes = remarks;
        self.end = End::Measured(Arc::new(Figures {
            outcome: outcome(facts.unjudged, judgement),
            reason: facts.undecided.or_else(|| reason(facts.unjudged, judgement)),
            check: facts.check,
            same_code: first.is_one_function,
            differs: facts.differs.filter(|_| !first.is_one_function),
            ratio: judgement.ratio,
            interval: judgement.interval.into(),
            rounds: judgement.rounds.as_ref().map(RoundsRecord::from),
            p_fail: judgement.p_fail.and_then(finite),
            p_pass: judgement.p_pass.and_then(finite),
            mde: judgement.mde.and_then(finite),
            duos: measurement.duos().count(),
            iterations: first.warmup.iterations,
            clock: first.warmup.clock,
            elapsed_s: measurement.elapsed().as_secs_f64(),
            welch: judgement.welch.into(),
            overhead: measurement.overhead.map(|overhead| OverheadRecord::of(&overhead, judgement)),
            bytes: facts.bytes,
            items: facts.items,
            candidate: candidate.into(),
            baseline: baseline.into(),
            advice,
            ..Figures::default()
        }));
        let record = match facts.linked {
            Some(linked) => self.in_layouts(linked, &measurement.rounds),
            None => self,
        };
        Ok(record.doubted(facts.doubt).with_allocations(facts.allocations))
    }

    /// Marks the rounds as those of random layouts, beside the binary as linked.
    fn in_layouts(mut self, linked: &Recording, recordings: &[Vec<Recording>]) -> Self {
        let Some(figures) = self.end.figures_mut() else { return self };
        let Some(rounds) = &figures.rounds else { return self };
        let of_programs = |round: &Vec<Recording>| round.iter().filter_map(Recording::contrast).collect();
        let layouts = LayoutsRecord {
            // A round at one offset is a single process.
            balanced: recordings.iter().all(|round| round.len() > 1),
            linked: linked.contrast().map(f64::exp).and_then(finite),
            programs: recordings.iter().map(of_programs).collect(),
        };
        let note = layouts.note(
            (figures.outcome, figures.ratio, rounds),
            self.gate.as_ref(),
            linked.contrast_error(),
        );
        figures.advice.extend(note);
        figures.layouts = Some(layouts);
        self
    }
}
