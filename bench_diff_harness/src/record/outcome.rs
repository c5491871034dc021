//! How a pair ended, and why.

use bench_diff_core::{Judgement, Note, Verdict};

use crate::exit::Exit;

/// How a pair ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) enum Outcome {
    #[serde(rename = "pass")]
    Pass,
    #[serde(rename = "fail")]
    Fail,
    #[serde(rename = "inconclusive")]
    Inconclusive,
    /// It could not be measured or judged.
    #[default]
    #[serde(rename = "error")]
    Error,
    #[serde(rename = "ignored")]
    Ignored,
    /// Measured, and not judged by intent.
    #[serde(rename = "measured")]
    Measured,
}

impl Outcome {
    /// The word for it in a record.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
            Self::Error => "error",
            Self::Ignored => "ignored",
            Self::Measured => "measured",
        }
    }

    /// How it ends a run.
    pub(crate) fn exit(self, strict: bool) -> Exit {
        match self {
            Self::Fail => Exit::Failure,
            Self::Inconclusive if strict => Exit::Failure,
            Self::Error => Exit::Error,
            Self::Pass | Self::Inconclusive | Self::Ignored | Self::Measured => Exit::Success,
        }
    }
}

/// The outcome of a judgement, unless there is a reason why nothing is judged.
pub(super) fn outcome(unjudged: Option<&str>, judgement: &Judgement) -> Outcome {
    match judgement.verdict.filter(|_| unjudged.is_none()) {
        None => Outcome::Measured,
        Some(Verdict::Pass) => Outcome::Pass,
        Some(Verdict::Fail) => Outcome::Fail,
        Some(Verdict::Inconclusive) => Outcome::Inconclusive,
    }
}

/// Why there is no verdict, where there is none.
pub(super) fn reason(unjudged: Option<&str>, judgement: &Judgement) -> Option<String> {
    match (unjudged, judgement.verdict) {
        (Some(unjudged), _) => Some(unjudged.to_owned()),
        (None, Some(Verdict::Inconclusive)) => {
            let mut causes = Vec::new();
            for note in &judgement.notes {
                if is_cause(note) {
                    causes.push(note.to_string());
                }
            }
            if causes.is_empty() { None } else { Some(causes.join("\n")) }
        }
        (None, _) => None,
    }
}

/// Whether a note says what keeps a judge from a verdict.
fn is_cause(note: &Note) -> bool {
    note.says_what_is_needed() || matches!(note, Note::TooShort { .. } | Note::Empty { .. })
}
