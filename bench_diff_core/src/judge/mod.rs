//! Judges: they turn duos into a decision.
//!
//! A judge is a function of the plan, the warm-up and the counted duos, and of nothing else: [`judge`] gives on stored
//! duos what the live run gave.

mod welch;

use crate::duo::Duo;
use crate::error::MeasureError;
use crate::measure::Warmup;
use crate::plan::Plan;
use crate::stats::Interval;

/// The judges that there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JudgeKind {
    /// Welch's t-test on the logarithms of a fixed number of slots.
    ///
    /// Not a theorem: it takes the slots for independent draws, which the slots of a real machine are not. Drift that
    /// both functions share makes it cautious, noise with a period near the length of a duo can make it too bold.
    #[default]
    Welch,
}

impl JudgeKind {
    /// Every judge.
    pub const ALL: [Self; 1] = [Self::Welch];

    /// The word for this judge in an attribute, on the command line and in a record.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Welch => "welch",
        }
    }
}

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

/// What a judge has to say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// The decision; none without a gate.
    pub verdict: Option<Verdict>,
    /// Candidate over baseline: above 1 is slower.
    pub ratio: f64,
    /// The interval of the ratio; an end may be infinite.
    pub interval: Interval,
    /// The p-value of the proof of a failure.
    pub p_fail: Option<f64>,
    /// The p-value of the proof of a pass.
    pub p_pass: Option<f64>,
    /// The logarithm of the evidence for a failure, of a judge that keeps one.
    pub ln_e_fail: Option<f64>,
    /// The logarithm of the evidence for a pass, of a judge that keeps one.
    pub ln_e_pass: Option<f64>,
    /// The smallest slowdown that so many duos would find in 95 % of runs, as a share.
    pub mde: Option<f64>,
    /// The figures of Welch's t-test.
    pub welch: WelchFigures,
}

/// Welch's t-test of delta = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WelchFigures {
    /// The t statistic; above 0 the candidate is slower.
    pub t: f64,
    /// The degrees of freedom after Welch and Satterthwaite.
    pub df: f64,
    /// The one-sided p-value of "the candidate is slower".
    pub p: f64,
    /// The two-sided p-value of "the two differ".
    pub p_two_sided: f64,
    /// Whether the number of slots depended on the data, so that the p-values do not mean what they say.
    pub nominal: bool,
}

/// Judges stored duos as a live run would have.
///
/// The judge sees them in the steps that it asks for and stops where it would have stopped.
///
/// # Errors
///
/// [`MeasureError::Statistics`] where a statistic cannot be computed.
pub fn judge(plan: &Plan, warmup: &Warmup, duos: &[Duo]) -> Result<Judgement, MeasureError> {
    let mut judge = start(plan, warmup);
    let mut seen = 0;
    while let Step::Measure(length) = judge.step(&duos[..seen]) {
        if seen + length > duos.len() {
            break;
        }
        seen += length;
    }
    judge.judgement(&duos[..seen])
}

/// What a judge wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// So many more duos, at most a block.
    Measure(usize),
    /// Nothing: it has seen enough.
    Done,
}

/// A judge at work on one pair.
pub(crate) trait Judge {
    /// Looks at all the duos counted so far.
    fn step(&mut self, duos: &[Duo]) -> Step;

    /// Decides on the duos counted so far.
    fn judgement(&self, duos: &[Duo]) -> Result<Judgement, MeasureError>;
}

pub(crate) fn start(plan: &Plan, warmup: &Warmup) -> Box<dyn Judge> {
    match plan.judge {
        JudgeKind::Welch => Box::new(welch::Welch::new(plan, warmup)),
    }
}
