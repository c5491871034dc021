//! The tail of a pair, and its effect on the outcome.

use bench_diff_core::TailFigures;

use super::json::finite;
use super::{GateRecord, Outcome};

/// Figures of another machine may differ in their last digits.
const ROUNDING: f64 = 1e-9;

/// The number of calls of each function that were slower than 99 % of the baseline's calls, and what that
/// proves.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct TailRecord {
    /// The `max_tail` that it is held to, and the times that a failure and a pass prove.
    pub(crate) margin: f64,
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    /// The calls of each function, and the slow ones of both.
    pub(crate) calls: u64,
    pub(crate) candidate: u64,
    pub(crate) baseline: u64,
    /// The rounds that had slow calls.
    pub(crate) rounds: usize,
    pub(crate) p_fail: f64,
    pub(crate) p_pass: f64,
    pub(crate) ln_e_fail: Option<f64>,
    pub(crate) ln_e_pass: Option<f64>,
}

impl From<&TailFigures> for TailRecord {
    fn from(figures: &TailFigures) -> Self {
        let [lo, hi] = figures.bounds();
        Self {
            margin: figures.margin,
            lo,
            hi,
            calls: figures.calls,
            candidate: figures.candidate,
            baseline: figures.baseline,
            rounds: figures.rounds,
            p_fail: figures.p_fail,
            p_pass: figures.p_pass,
            ln_e_fail: finite(figures.ln_e_fail),
            ln_e_pass: finite(figures.ln_e_pass),
        }
    }
}

impl TailRecord {
    /// The factor by which the candidate had more slow calls; `None` if the baseline had none.
    #[expect(clippy::cast_precision_loss, reason = "nobody waits for 2^53 slow calls")]
    pub(crate) fn times(&self) -> Option<f64> {
        (self.baseline > 0).then(|| self.candidate as f64 / self.baseline as f64)
    }

    /// The slow calls of both functions in words; `name` is that of the baseline.
    pub(crate) fn counts(&self, name: &str) -> String {
        let Self { calls, candidate, baseline, .. } = self;
        let times = self.times().map(|times| format!(", {times:.2} times as many")).unwrap_or_default();
        format!(
            "{candidate} of {calls} calls are slower than the p99 of {name}, against {baseline} of its {calls}{times}"
        )
    }

    /// The complaint about a broken gate.
    pub(crate) fn complaint(&self, name: &str) -> String {
        format!("{}; the limit is {} times", self.counts(name), self.margin)
    }

    /// The outcome that it proves by the error rates of its gate.
    pub(crate) fn outcome(&self, gate: &GateRecord) -> Outcome {
        proven(self.p_fail, self.p_pass, gate)
    }
}

/// The outcome that p-values prove.
pub(super) fn proven(p_fail: f64, p_pass: f64, gate: &GateRecord) -> Outcome {
    if p_fail <= gate.alpha * (1.0 + ROUNDING) {
        Outcome::Fail
    } else if p_pass <= gate.beta * (1.0 + ROUNDING) {
        Outcome::Pass
    } else {
        Outcome::Inconclusive
    }
}
