//! Styles of what is printed.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::record::Outcome;
use crate::system::wrap::wrapped;

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();

/// The conventional colours: green is good, red is bad, yellow needs attention.
pub(super) fn style(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Pass => AnsiColor::Green.on_default(),
        Outcome::Fail | Outcome::Error => AnsiColor::Red.on_default().bold(),
        Outcome::Inconclusive | Outcome::Ignored => AnsiColor::Yellow.on_default(),
        Outcome::Measured => AnsiColor::Cyan.on_default(),
    }
}

/// Writes a text that matters less than its surroundings, wrapped at the width.
pub(super) fn dimmed(out: &mut dyn Write, text: &str, indent: &str, width: Option<usize>) -> io::Result<()> {
    wrapped(text, indent, width).iter().try_for_each(|line| writeln!(out, "{DIM}{line}{DIM:#}"))
}
