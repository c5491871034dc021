//! Outcomes as words.

use crate::record::Outcome;

pub(super) fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "pass",
        Outcome::Fail => "FAIL",
        Outcome::Inconclusive => "inconclusive",
        Outcome::Error => "ERROR",
        Outcome::Ignored => "ignored",
        Outcome::Measured => "measured",
    }
}
