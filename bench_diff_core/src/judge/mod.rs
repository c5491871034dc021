//! Judges: they turn duos into a decision.
//!
//! A judge is a function of the plan, the warm-up and the counted duos only, so [`judge`] gives the same
//! answer for stored duos as the live run.

mod effective_zone;
mod figures;
mod one_function;
mod rounds;
mod sequential;
mod too_short;
mod undecided;
mod welch;

use std::time::Duration;

use crate::duo::Duo;
use crate::error::MeasureError;
use crate::note::Note;
use crate::plan::{JudgeKind, Plan};
use crate::sample::Warmup;
use crate::stats::Interval;

use effective_zone::EffectiveZone;
pub use effective_zone::Ignored;
pub use figures::{RoundFigures, WelchFigures};
pub use rounds::Rounds;
pub(crate) use rounds::{duos_of_round, judge_rounds};

/// Without a gate, knowing the ratio to 1 % in either direction is enough.
const PRECISE: f64 = 0.01;

/// The share of runs that find a slowdown as large as the MDE.
const MDE_POWER: f64 = 0.95;

/// The decision about a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Proven to keep the gate.
    Pass,
    /// Proven to break the gate.
    Fail,
    /// Neither is proven.
    Inconclusive,
}

fn verdict(is_broken: bool, is_kept: bool) -> Verdict {
    match (is_broken, is_kept) {
        (true, _) => Verdict::Fail,
        (_, true) => Verdict::Pass,
        _ => Verdict::Inconclusive,
    }
}

/// The judgement of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The decision; none without a gate.
    pub verdict: Option<Verdict>,
    /// Candidate over baseline; above 1 is slower. By rounds, it is exp of the median contrast. By the duos
    /// of one process, it is exp of Huber's M-estimate of the contrasts (Huber 1964). Both are kept inside
    /// the interval. For [`JudgeKind::Welch`], it is the ratio of the geometric means. Without a baseline,
    /// it is the time of a call in nanoseconds.
    pub ratio: f64,
    /// The interval of the ratio. An end without a bound is 0 or infinity.
    ///
    /// It errs at the rate beta on each side, so by default it is a 90 % interval. For
    /// [`JudgeKind::Sequential`], it holds whenever the measurement stops: by the duos of one process, it is
    /// a confidence sequence (Howard, Ramdas, McAuliffe & Sekhon 2021, "Time-uniform, nonparametric,
    /// nonasymptotic confidence sequences"); by rounds, it contains the values that the bets do not exclude.
    /// In both cases, a verdict limits it to what it proves. For [`JudgeKind::Welch`], it is the interval of
    /// the t-test.
    pub interval: Interval,
    /// The p-value of a failure, compared with alpha; none without a gate. For [`JudgeKind::Sequential`], it
    /// is 1 over the largest evidence at any time (Ville 1939). If both directions break the gate, it is
    /// twice the smaller of the two, and at most 1.
    pub p_fail: Option<f64>,
    /// The p-value of the proof of a pass. For a judge that keeps evidence, it is 1 over the largest evidence
    /// at any time.
    pub p_pass: Option<f64>,
    /// The minimum detectable effect: the smallest slowdown of the functions themselves, as a share, that 95
    /// % of runs would find with this many duos, or with the maximum number of rounds, if the overhead is as
    /// large as it may be. None without a gate, if slots may be pure overhead, and if so few rounds can prove
    /// nothing.
    pub mde: Option<f64>,
    /// The ignored difference, if the gate ignores one and the time of a call of the baseline is known.
    pub ignored: Option<Ignored>,
    /// The figures of the rounds, if rounds were judged.
    pub rounds: Option<RoundFigures>,
    /// The figures of Welch's t-test.
    pub welch: WelchFigures,
    /// Remarks for the reader; usually none.
    pub notes: Vec<Note>,
}

/// Judges stored duos of one process as a live run would have judged them. [`max_rounds`](Plan::max_rounds)
/// has no effect.
///
/// The judge sees them in the steps that it requests, and stops where it would have stopped. If the duos end
/// before that, they are judged like a run that ran out of time.
///
/// # Errors
///
/// [`MeasureError::Statistics`] if a statistic cannot be computed.
///
/// # Panics
///
/// If a number of the plan is out of the range in [`Plan`].
pub fn judge(plan: &Plan, warmup: &Warmup, duos: &[Duo]) -> Result<Judgement, MeasureError> {
    plan.assert_in_range();
    let again = |plan: &Plan| judge_duos(plan, warmup, duos);
    again(plan).map(|judgement| judgement.compared(plan, again))
}

pub(crate) fn judge_duos(plan: &Plan, warmup: &Warmup, duos: &[Duo]) -> Result<Judgement, MeasureError> {
    let mut judge = start(plan, warmup);
    let mut seen = 0;
    while let Some(length) = judge.step(&duos[..seen])
        && seen < duos.len()
    {
        seen = duos.len().min(seen + length);
    }
    judge.judgement(&duos[..seen])
}

/// The judge of one pair.
pub(crate) trait Judge {
    /// Looks at all counted duos so far. Returns how many more it wants, at most a block; `None` if it has
    /// seen enough.
    fn step(&mut self, duos: &[Duo]) -> Option<usize>;

    /// Returns whether to give up after this time. The judge always collects the least evidence that can
    /// decide, and a few more duos if all so far agree.
    fn is_out_of_time(&self, _spent: Duration) -> bool {
        false
    }

    /// Decides on all counted duos so far. The judge has to have looked at them in [`Self::step`].
    fn judgement(&self, duos: &[Duo]) -> Result<Judgement, MeasureError>;
}

pub(crate) fn start(plan: &Plan, warmup: &Warmup) -> Box<dyn Judge> {
    match plan.judge {
        JudgeKind::Sequential => Box::new(sequential::Sequential::new(plan, warmup)),
        JudgeKind::Welch => Box::new(welch::Welch::new(plan, warmup)),
    }
}
