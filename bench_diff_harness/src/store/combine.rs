//! Several independent runs of one pair, as one.
//!
//! The evidence of the judge of rounds is an e-value at the stop of its run, and the product of those of
//! independent runs is one again (Ramdas, Ruf, Larsson & Koolen 2020, "Admissible anytime-valid sequential
//! inference must rely on nonnegative martingales"). A gate with two directions records the larger evidence
//! for a failure; half of it is at most the mean of both, which is an e-value, so every run pays for the
//! choice. Of a pass it records the smaller one, which is at most that of whichever direction is true.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::Path;

use bench_diff_core::JudgeKind;

use crate::record::{AllocationsRecord, Figures, GateRecord, Outcome, PairRecord};

/// Between the seeds of a record of several runs.
const SEEDS: &str = "+";

/// A record of one of several runs, and the file that it is from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) record: &'a PairRecord,
    /// What the old side of its run is.
    pub(super) side: Option<&'a str>,
    pub(super) path: &'a Path,
}

impl Source<'_> {
    /// One line on this run.
    fn note(&self) -> String {
        let seed = &self.record.seed;
        let Some(Figures { outcome, ratio, duos, ln_e_fail, ln_e_pass, .. }) = self.record.figures() else {
            return String::new();
        };
        let [fail, pass] = [ln_e_fail, ln_e_pass].map(|known| known.unwrap_or(f64::NAN));
        format!(
            "{} with seed {seed}: ratio {ratio:.4}, {duos} duos, ln E {fail:.2} for a failure and {pass:.2} for a pass ({})",
            outcome.name(),
            self.path.display()
        )
    }
}

/// The record of all runs, with the figures of the one with the most duos, which is that of the index.
///
/// # Errors
///
/// If they are no independent runs of one gate; the text says why.
pub(super) fn combined(sources: &[Source<'_>]) -> Result<(usize, PairRecord), String> {
    let of_one = |source| evidence(source).map_err(|reason| format!("{}: {reason}", source.path.display()));
    let evidence = sources.iter().map(of_one).collect::<Result<Vec<_>, _>>()?;
    refuse_unlike(sources)?;
    refuse_contradictions(sources)?;
    // The first of several with the same number.
    let duos = |index: &usize| sources[*index].record.figures().map(|figures| figures.duos);
    let longest = (0..sources.len()).rev().max_by_key(duos).unwrap_or_default();
    let record = sources[longest].record;
    let Some(gate) = gate_of_all(sources) else { return Err("it has no limit".to_owned()) };
    let directions: f64 = if gate.lo2.is_some() { 2.0 } else { 1.0 };
    // A record tells the larger of two before it pays for the choice, which the verdict on it does.
    let paid: f64 = evidence.iter().map(|[fail, _]| fail - directions.ln()).sum();
    let ln_e_fail = paid + directions.ln();
    let ln_e_pass: f64 = evidence.iter().map(|[_, pass]| pass).sum();
    let causes = record.figures().and_then(|figures| figures.reason.as_deref()).unwrap_or_default();
    let count = sources.len();
    let is_shown = |note: &String| !causes.lines().any(|cause| cause == note);
    let mut notes = record.notes.clone();
    notes.retain(is_shown);
    notes.push(format!(
        "{count} runs are combined: their evidence multiplies, the figures are those of the longest"
    ));
    notes.extend(sources.iter().map(Source::note));
    let seeds: Vec<&str> = sources.iter().map(|source| source.record.seed.as_str()).collect();
    let mut record = record.clone();
    record.seed = seeds.join(SEEDS);
    record.gate = Some(gate);
    if let Some(ignored) = &mut record.ignored {
        let decided = |source: &Source<'_>| source.record.ignored.is_some_and(|ignored| ignored.decided);
        ignored.decided = sources.iter().any(decided);
    }
    record.notes = notes;
    let record = record.with(|figures| {
        figures.p_fail = Some((directions * (-ln_e_fail).exp()).min(1.0));
        figures.p_pass = Some((-ln_e_pass).exp().min(1.0));
        figures.ln_e_fail = Some(ln_e_fail).filter(|evidence| evidence.is_finite());
        figures.ln_e_pass = Some(ln_e_pass).filter(|evidence| evidence.is_finite());
        figures.advice.retain(is_shown);
    });
    let proven = record.proven().unwrap_or(Outcome::Inconclusive);
    let record = record.with(|figures| {
        figures.outcome = proven;
        figures.reason = (proven == Outcome::Inconclusive)
            .then(|| format!("{count} runs together prove neither a pass nor a failure"));
    });
    let doubt = sources.iter().find_map(|source| source.record.doubt());
    Ok((longest, record.doubted(doubt).with_allocations(allocations_of_all(sources))))
}

fn refuse_unlike(sources: &[Source<'_>]) -> Result<(), String> {
    let Some((first, others)) = sources.split_first() else { return Ok(()) };
    // The same code has the ratio 1 in any binary.
    let in_place = |source: &&Source<'_>| !source.record.is_same_code();
    let mut programs = sources.iter().filter(in_place).map(|source| &source.record.program);
    if programs.next().is_some_and(|first| programs.any(|other| other != first)) {
        return Err("their rounds are of different binaries, and code placement is a part of what they say"
            .to_owned());
    }
    // The bounds follow from the margin and from what is ignored, as a share of what each run measured, and
    // alpha from how many pairs are the same code in the binary of each.
    let asked = |source: &Source<'_>| {
        let gate = source.record.gate.clone();
        gate.map(|gate| GateRecord { lo: 0.0, hi: 0.0, lo2: None, hi2: None, alpha: 0.0, ..gate })
    };
    let max = |source: &Source<'_>| source.record.figures()?.allocations?.max;
    let below = |source: &Source<'_>| source.record.ignored.map(|ignored| ignored.below_ns);
    for other in others {
        // Records of earlier versions do not name the old side.
        let [one, two] = [first, other].map(|source| source.record.against.as_deref());
        let sides = first.side.zip(other.side).or(one.zip(two));
        let differences = [
            ("other sides differ", sides.is_some_and(|(one, two)| one != two)),
            ("limits or error rates differ", asked(other) != asked(first)),
            ("max_allocations differs", max(other) != max(first)),
            ("ignore_below differs", below(other) != below(first)),
        ];
        if let Some((what, _)) = differences.iter().find(|(_, differs)| *differs) {
            return Err(format!("their {what}"));
        }
    }
    let mut seeds = HashSet::new();
    let mut of_all = sources.iter().flat_map(|source| source.record.seed.split(SEEDS));
    match of_all.find(|seed| !seeds.insert(*seed)) {
        Some(seed) => Err(format!("they have the same seed {seed}, and one run must not count twice")),
        None => Ok(()),
    }
}

/// If one run proves the contrary of another one, that is no chance, so their product must not decide.
fn refuse_contradictions(sources: &[Source<'_>]) -> Result<(), String> {
    let has = |outcome| sources.iter().any(|source| source.record.outcome_of_time() == outcome);
    if has(Outcome::Fail) && has(Outcome::Pass) {
        return Err("they contradict each other, so the machines differ".to_owned());
    }
    Ok(())
}

/// The logarithms of what one run proves of a failure and of a pass.
fn evidence(source: &Source<'_>) -> Result<[f64; 2], String> {
    let PairRecord { judge, program, .. } = source.record;
    let Some(Figures { rounds, layouts, ln_e_fail, ln_e_pass, .. }) = source.record.figures() else {
        let why = if source.record.timing().is_some() { "has no baseline" } else { "could not be measured" };
        return Err(format!("it {why}"));
    };
    // The same code needs no evidence.
    let is_proven = source.record.is_same_code();
    match (source.record.outcome_of_time(), ln_e_fail, ln_e_pass) {
        (Outcome::Measured, ..) => Err("it has no verdict".to_owned()),
        _ if judge.0 != JudgeKind::Sequential => Err(format!(
            "it has the judge {}, and only sequential keeps evidence that adds up",
            judge.0.name()
        )),
        _ if rounds.is_none() => {
            Err("it was measured in one process, so its verdict is about that process alone".to_owned())
        }
        _ if program.is_none() && layouts.is_none() && !is_proven => {
            Err("its record does not say in which bench binary it was measured".to_owned())
        }
        (Outcome::Pass, None, None) if is_proven => Ok([f64::NEG_INFINITY, f64::INFINITY]),
        (Outcome::Fail, None, None) if is_proven => Ok([f64::INFINITY, f64::NEG_INFINITY]),
        // Nothing can be proven of slots that are mostly overhead.
        (Outcome::Inconclusive, None, None) => Ok([0.0; 2]),
        (_, Some(fail), Some(pass)) => Ok([*fail, *pass]),
        _ => Err("its record has no evidence".to_owned()),
    }
}

/// The gate of all runs. If a difference in time is ignored, all of them asked whether the candidate takes
/// that much more, so their evidence is on one claim. As shares of a call, which is of another length in
/// each, their bounds differ: a failure proves at least the nearest to 1, and a pass at least the furthest
/// from it.
fn gate_of_all(sources: &[Source<'_>]) -> Option<GateRecord> {
    let gates = sources.iter().filter_map(|source| source.record.gate.clone());
    gates.reduce(|all, one| {
        let both =
            |choose: fn(f64, f64) -> f64, all: Option<f64>, one| all.zip(one).map(|(a, b)| choose(a, b));
        GateRecord {
            lo: all.lo.min(one.lo),
            hi: all.hi.max(one.hi),
            lo2: both(f64::max, all.lo2, one.lo2),
            alpha: all.alpha.min(one.alpha),
            hi2: both(f64::min, all.hi2, one.hi2),
            ..all
        }
    })
}

/// The counts of the first run that breaks the gate on them, since a count needs no second one, or else of
/// the first that has any.
fn allocations_of_all(sources: &[Source<'_>]) -> Option<AllocationsRecord> {
    let counted = || sources.iter().filter_map(|source| source.record.figures()?.allocations);
    counted().find(|allocations| allocations.complaint().is_some()).or_else(|| counted().next())
}
