//! Styles of what is printed.

use anstyle::{AnsiColor, Style};

use crate::record::Outcome;

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();

/// The conventional colours: green is good, red is bad, yellow wants a look.
pub(super) fn style(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Pass => AnsiColor::Green.on_default(),
        Outcome::Fail | Outcome::Error => AnsiColor::Red.on_default().bold(),
        Outcome::Inconclusive | Outcome::Ignored => AnsiColor::Yellow.on_default(),
        Outcome::Measured => AnsiColor::Cyan.on_default(),
    }
}
