//! How a pair ended, and why.

use bench_diff_core::{Judgement, Note, Verdict};
#[cfg(feature = "reports")]
use serde::{Deserialize, Serialize};

use crate::plan::RunPlan;

/// How a pair ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "reports", derive(Deserialize, Serialize))]
#[cfg_attr(feature = "reports", serde(rename_all = "lowercase"))]
pub(crate) enum Outcome {
    Pass,
    Fail,
    Inconclusive,
    /// It could not be measured or judged.
    Error,
    Ignored,
    /// Measured, and not judged by intent.
    Measured,
}

/// The outcome of a judgement.
pub(super) fn outcome(run: &RunPlan, judgement: &Judgement) -> Outcome {
    match judgement.verdict.filter(|_| run.unjudged.is_none()) {
        None => Outcome::Measured,
        Some(Verdict::Pass) => Outcome::Pass,
        Some(Verdict::Fail) => Outcome::Fail,
        Some(Verdict::Inconclusive) => Outcome::Inconclusive,
    }
}

/// Why there is no verdict, where there is none.
pub(super) fn reason(run: &RunPlan, judgement: &Judgement) -> Option<String> {
    match (run.unjudged, judgement.verdict) {
        (Some(unjudged), _) => Some(unjudged.to_owned()),
        (None, Some(Verdict::Inconclusive)) => {
            let causes = judgement.notes.iter().filter(|note| is_cause(note)).map(ToString::to_string);
            Some(causes.collect::<Vec<_>>().join("\n")).filter(|causes| !causes.is_empty())
        }
        (None, _) => None,
    }
}

/// Whether a note says what keeps a judge from a verdict.
fn is_cause(note: &Note) -> bool {
    matches!(
        note,
        Note::TooShort { .. } | Note::Empty { .. } | Note::TooNoisy { .. } | Note::InsideZone { .. }
    )
}
