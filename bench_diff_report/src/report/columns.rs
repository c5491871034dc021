//! Lines of a table in columns, and the styles of what is printed.

use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::record::Outcome;
use bench_diff_system::wrap::{fitting, wrapped};

/// The title of a column, its width, and whether numbers line up at its right edge.
pub(super) type Column = (&'static str, usize, Align);

#[derive(Clone, Copy)]
pub(super) enum Align {
    Left,
    Right,
}

/// The text of a column in a line.
pub(super) type Cell = (String, Style);

pub(super) const GAP: &str = "  ";

/// The narrowest column of names.
pub(super) const NARROWEST_NAME: usize = 11;

/// Which of these columns fit into a terminal of this width beside a name, if they are left out in the order
/// of `dispensable`; and the width that is left for names.
pub(super) fn with_room(
    columns: &[Column],
    dispensable: &[usize],
    width: Option<usize>,
) -> (Vec<bool>, Option<usize>) {
    let mut shown = vec![true; columns.len()];
    let Some(width) = width else { return (shown, None) };
    let room = |shown: &[bool]| {
        let shown = columns.iter().zip(shown).filter(|(_, shown)| **shown);
        width.checked_sub(shown.map(|((_, width, _), _)| GAP.len() + width).sum())
    };
    for column in dispensable {
        if room(&shown).is_some_and(|room| room >= NARROWEST_NAME) {
            break;
        }
        shown[*column] = false;
    }
    let room = room(&shown).unwrap_or_default();
    (shown, Some(room))
}

/// A line: a name of this width, and the cells of the columns that are shown.
pub(super) fn line(name: &str, width: usize, cells: &[Cell], columns: &[Column], shown: &[bool]) -> String {
    let mut line = format!("{name}{}", " ".repeat(width.saturating_sub(name.width())));
    let cells = cells.iter().zip(columns).zip(shown).filter(|(_, shown)| **shown);
    for (((text, style), (_, width, align)), _) in cells {
        let padding = " ".repeat(width.saturating_sub(text.width()));
        let (before, after) = match align {
            Align::Left => ("", padding.as_str()),
            Align::Right => (padding.as_str(), ""),
        };
        let _ = write!(line, "{GAP}{before}{style}{text}{style:#}{after}");
    }
    line
}

/// A name with its middle left out if it is too long: its start shows the module, its end the arg.
pub(super) fn shortened(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let room = width.saturating_sub(1);
    let start: String = fitting(name.chars(), room.div_ceil(2)).collect();
    let end: Vec<char> = fitting(name.chars().rev(), room / 2).collect();
    format!("{start}…{}", end.iter().rev().collect::<String>())
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_shortened_in_its_middle() {
        assert_eq!(shortened("sort::unstable/100", 18), "sort::unstable/100");
        assert_eq!(shortened("sort::unstable/100", 14), "sort::u…le/100");
        assert_eq!(shortened("größe/数数", 7), "grö…数");
    }
}
