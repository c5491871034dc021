//! The outcome of a pair, and the reason.

use bench_diff_core::{Judgement, Note, Verdict};

use bench_diff_system::exit::Exit;
use bench_diff_system::words;

words! {
    /// The outcome of a pair.
    #[derive(Default)]
    pub enum Outcome {
        /// It is proven to keep its gate.
        Pass = "pass",
        /// It is proven to break its gate.
        Fail = "fail",
        /// Neither is proven.
        Inconclusive = "inconclusive",
        /// It could not be measured or judged.
        #[default]
        Error = "error",
        /// It was not measured, or not compared, on purpose.
        Ignored = "ignored",
        /// Measured, and deliberately not judged.
        Measured = "measured",
    }
}

impl Outcome {
    /// The outcomes that need attention, in the order in which the end of a run lists them.
    pub(crate) const SHOWN_AT_THE_END: [Self; 3] = [Self::Fail, Self::Inconclusive, Self::Error];

    /// Its word in tables.
    pub(crate) fn shown(self) -> &'static str {
        match self {
            Self::Fail => "FAIL",
            Self::Error => "ERROR",
            Self::Pass | Self::Inconclusive | Self::Ignored | Self::Measured => self.name(),
        }
    }

    /// The outcome as the end of a sentence.
    pub(crate) fn predicate(self) -> &'static str {
        match self {
            Self::Pass => "passed",
            Self::Fail => "failed",
            Self::Inconclusive => "is inconclusive",
            Self::Error => "could not be measured",
            Self::Ignored => "is ignored",
            Self::Measured => "was measured",
        }
    }

    /// Returns whether it is the outcome of a gate.
    pub(crate) fn is_judged(self) -> bool {
        matches!(self, Self::Pass | Self::Fail | Self::Inconclusive)
    }

    /// Returns whether it needs attention.
    pub(crate) fn is_shown_at_the_end(self) -> bool {
        Self::SHOWN_AT_THE_END.contains(&self)
    }

    /// The exit of a run with such a pair.
    pub fn exit(self, strict: bool) -> Exit {
        match self {
            Self::Pass | Self::Ignored | Self::Measured => Exit::Success,
            Self::Inconclusive if !strict => Exit::Success,
            Self::Inconclusive | Self::Fail => Exit::Failure,
            Self::Error => Exit::Error,
        }
    }
}

/// The gate that a pair failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedGate {
    /// Its typical call.
    Ratio,
    /// The allocations of its calls, but not their time.
    Allocations,
}

impl FailedGate {
    /// The gate, in a table.
    pub(crate) fn shown(self) -> &'static str {
        match self {
            Self::Ratio => Outcome::Fail.shown(),
            Self::Allocations => "FAIL (alloc)",
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

/// The reason if there is no verdict.
pub(super) fn reason(unjudged: Option<&str>, judgement: &Judgement) -> Option<String> {
    match (unjudged, judgement.verdict) {
        (Some(unjudged), _) => Some(unjudged.to_owned()),
        (None, Some(Verdict::Inconclusive)) => {
            // A function that does nothing is too short as well.
            let is_empty = judgement.notes.iter().any(|note| matches!(note, Note::Empty { .. }));
            let is_implied = |note: &Note| is_empty && matches!(note, Note::TooShort { .. });
            let causes: Vec<String> = judgement
                .notes
                .iter()
                .filter(|note| is_cause(note) && !is_implied(note))
                .map(Note::to_string)
                .collect();
            (!causes.is_empty()).then(|| causes.join("\n"))
        }
        (None, _) => None,
    }
}

/// Returns whether a note explains what keeps a judge from a verdict.
fn is_cause(note: &Note) -> bool {
    note.says_what_is_needed() || matches!(note, Note::TooShort { .. } | Note::Empty { .. })
}
