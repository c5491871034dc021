//! Judges: they turn duos into a decision.
//!
//! A judge is a function of the plan, the warm-up and the counted duos, and of nothing else: [`judge`] gives
//! on stored duos what the live run gave.

mod budget;
mod effective_zone;
mod figures;
mod one_function;
mod rounds;
mod sequential;
mod tail;
mod too_short;
mod undecided;
mod welch;

use crate::duo::Duo;
use crate::error::MeasureError;
use crate::note::Note;
use crate::plan::{JudgeKind, Plan};
use crate::sample::Warmup;
use crate::stats::Interval;

pub(crate) use budget::Budget;
use effective_zone::EffectiveZone;
pub use effective_zone::Ignored;
pub use figures::{RoundFigures, WelchFigures};
pub use rounds::Rounds;
pub(crate) use rounds::{duos_of_round, replay as replay_rounds};
pub use tail::TailFigures;
pub(crate) use tail::duos_of_round as duos_of_tail;

/// Without a gate it is enough to know the ratio to 1 % either way.
const PRECISE: f64 = 0.01;

/// The share of runs that find a slowdown of the size of the MDE.
const MDE_POWER: f64 = 0.95;

/// The decision on a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Proven to keep the gate.
    Pass,
    /// Proven to break the gate.
    Fail,
    /// Neither was proven.
    Inconclusive,
}

/// The judgement of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The decision; none without a gate. Where the plan asks for the tail as well, it is a failure where
    /// either breaks its bounds, and a pass where both keep them.
    pub verdict: Option<Verdict>,
    /// Candidate over baseline: above 1 is slower.
    pub ratio: f64,
    /// The interval of the ratio. Where nothing bounds it yet it reaches down to 0 or up to infinity.
    ///
    /// That of [`JudgeKind::Sequential`] is valid at any moment of stopping: a 95 % interval by the duos of
    /// one process, or what the bets on rounds leave, each side at beta, which is a 90 % interval.
    pub interval: Interval,
    /// The p-value of the proof of a failure; of a judge that keeps evidence, 1 over the most that it ever
    /// had.
    pub p_fail: Option<f64>,
    /// The p-value of the proof of a pass; of a judge that keeps evidence, 1 over the most that it ever had.
    pub p_pass: Option<f64>,
    /// The logarithm of the evidence for a failure at the stop, of a judge that keeps one: where both
    /// directions break the gate, of the one with more. An e-value: those of independent runs may be
    /// multiplied. Of rounds it is that of bets that are made to be multiplied, and not of those that
    /// [`Self::p_fail`] is of, which decide sooner.
    pub ln_e_fail: Option<f64>,
    /// The logarithm of the evidence for a pass at the stop, of a judge that keeps one: where both directions
    /// break the gate, of the one with less.
    pub ln_e_pass: Option<f64>,
    /// The smallest slowdown of the functions themselves that this many duos, or as many rounds as there may
    /// be, would find in 95 % of runs, as a share, with as much overhead as there may be. None without a
    /// gate, and where the overhead may be all that there is.
    pub mde: Option<f64>,
    /// The figures of the tail, where the plan asks for it and rounds were judged.
    pub tail: Option<TailFigures>,
    /// The ignored difference, where the plan has a gate that ignores any and a call of the baseline is
    /// known.
    pub ignored: Option<Ignored>,
    /// The figures of the rounds, where rounds were judged.
    pub rounds: Option<RoundFigures>,
    /// The figures of Welch's t-test.
    pub welch: WelchFigures,
    /// Remarks for the reader; mostly none.
    pub notes: Vec<Note>,
}

/// Judges stored duos as a live run would have.
///
/// The judge sees them in the steps that it asks for and stops where it would have stopped. Duos that end
/// before it has seen enough are judged as those of a run that ran out of time.
///
/// # Errors
///
/// [`MeasureError::Statistics`] where a statistic cannot be computed.
///
/// # Panics
///
/// If a number of the plan is out of the range that [`Plan`] gives it.
pub fn judge(plan: &Plan, warmup: &Warmup, duos: &[Duo]) -> Result<Judgement, MeasureError> {
    plan.assert_in_range();
    let again = |plan: &Plan| replay(plan, warmup, duos).map(|replay| replay.judgement);
    again(plan).map(|judgement| judgement.compared(plan, again))
}

/// Stored duos, judged again.
pub(crate) struct Replay {
    /// The number of duos that a live run would have measured.
    pub(crate) seen: usize,
    /// Set if it would have measured on.
    pub(crate) wants_more: bool,
    /// The judgement that it would have come to.
    pub(crate) judgement: Judgement,
}

pub(crate) fn replay(plan: &Plan, warmup: &Warmup, duos: &[Duo]) -> Result<Replay, MeasureError> {
    let mut judge = start(plan, warmup);
    let mut seen = 0;
    let wants_more = loop {
        match judge.step(&duos[..seen]) {
            None => break false,
            Some(_) if seen == duos.len() => break true,
            Some(length) => seen = duos.len().min(seen + length),
        }
    };
    Ok(Replay { seen, wants_more, judgement: judge.judgement(&duos[..seen])? })
}

/// A judge at work on one pair.
pub(crate) trait Judge {
    /// Looks at all the duos counted so far. Returns how many more it wants, at most a block; none where it
    /// has seen enough.
    fn step(&mut self, duos: &[Duo]) -> Option<usize>;

    /// The limits in time of this judge, as far as it has seen; none where the data are of a fixed size.
    fn budget(&self) -> Option<Budget> {
        None
    }

    /// Decides on the duos counted so far, which it has looked at.
    fn judgement(&self, duos: &[Duo]) -> Result<Judgement, MeasureError>;
}

pub(crate) fn start(plan: &Plan, warmup: &Warmup) -> Box<dyn Judge> {
    match plan.judge {
        JudgeKind::Sequential => Box::new(sequential::Sequential::new(plan, warmup)),
        JudgeKind::Welch => Box::new(welch::Welch::new(plan, warmup)),
    }
}
