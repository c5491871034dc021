//! Outcomes as words and colours.

use anstyle::{AnsiColor, Style};

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

/// The conventional colours: green is good, red is bad, yellow wants a look.
pub(super) fn style(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Pass => AnsiColor::Green.on_default(),
        Outcome::Fail | Outcome::Error => AnsiColor::Red.on_default().bold(),
        Outcome::Inconclusive | Outcome::Ignored => AnsiColor::Yellow.on_default(),
        Outcome::Measured => AnsiColor::Cyan.on_default(),
    }
}
