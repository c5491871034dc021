//! The rows of the table: one line a pair where there is room, a block of lines where there is not.

use std::fmt::Write;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::{numbers, phrase, verdict};
use crate::record::PairRecord;

/// The columns after the name: title, width, and whether numbers line up at its right edge.
const COLUMNS: [(&str, usize, Align); 7] = [
    ("ratio", 7, Align::Right),
    ("95 % interval", 18, Align::Left),
    ("candidate is", 19, Align::Left),
    ("verdict", 12, Align::Left),
    ("p", 6, Align::Right),
    ("n", 7, Align::Right),
    ("time", 8, Align::Right),
];

/// The column that has a colour.
const VERDICT: usize = 3;

const GAP: &str = "  ";
/// Of what belongs to the line above.
pub(super) const INDENT: &str = "    ";

#[derive(Clone, Copy)]
enum Align {
    Left,
    Right,
}

/// How rows are laid out, decided once for a run so that all of them line up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    name: usize,
    /// The width of the terminal, where it is too narrow for a row.
    narrow: Option<usize>,
}

impl Layout {
    /// A layout for pairs of these names.
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>, width: Option<usize>) -> Self {
        let name = names.map(UnicodeWidthStr::width).chain(["pair".len()]).max().unwrap_or(0);
        let needed = COLUMNS.iter().fold(name, |sum, (_, width, _)| sum + GAP.len() + width);
        Self { name, narrow: width.filter(|width| *width < needed) }
    }

    /// The titles of the columns; none where a pair takes several lines.
    pub(super) fn header(self) -> Option<String> {
        if self.narrow.is_some() {
            return None;
        }
        let titles = COLUMNS.map(|(title, ..)| (title.to_owned(), Style::new()));
        Some(self.line("pair", &titles))
    }

    /// A pair with its figures, or without them where there are none.
    pub(super) fn row(self, record: &PairRecord) -> String {
        let cells = cells(record);
        match self.narrow {
            None => self.line(&record.name, &cells),
            Some(width) => block(&record.name, &cells, width),
        }
    }

    fn line(self, name: &str, cells: &[(String, Style); 7]) -> String {
        let mut line = format!("{name}{}", " ".repeat(self.name.saturating_sub(name.width())));
        for ((text, style), (_, width, align)) in cells.iter().zip(COLUMNS) {
            let padding = " ".repeat(width.saturating_sub(text.width()));
            let (before, after) = match align {
                Align::Left => ("", padding.as_str()),
                Align::Right => (padding.as_str(), ""),
            };
            let _ = write!(line, "{GAP}{before}{style}{text}{style:#}{after}");
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// The title of each column after the name, and whether its numbers line up at the right.
pub(super) fn columns() -> impl Iterator<Item = (&'static str, bool)> {
    COLUMNS.into_iter().map(|(title, _, align)| (title, matches!(align, Align::Right)))
}

/// What stands in the columns.
pub(super) fn figures(record: &PairRecord) -> [Option<String>; 7] {
    [
        record.ratio.map(numbers::ratio),
        record.interval.map(|interval| numbers::interval(interval.low, interval.high)),
        record.ratio.zip(record.interval).map(|(ratio, interval)| phrase::comparison(ratio, interval)),
        Some(verdict::word(record.outcome).to_owned()),
        record.p_fail.map(numbers::p_value),
        record.candidate.map(|candidate| candidate.n.to_string()),
        record.elapsed_s.map(numbers::seconds),
    ]
}

fn cells(record: &PairRecord) -> [(String, Style); 7] {
    let mut cells = figures(record).map(|figure| (figure.unwrap_or_default(), Style::new()));
    cells[VERDICT].1 = verdict::style(record.outcome);
    cells
}

/// The name and the verdict, then the figures, each whole, on as many lines as the width needs.
fn block(name: &str, cells: &[(String, Style); 7], width: usize) -> String {
    let [ratio, interval, comparison, (word, style), p, n, time] = cells;
    let mut text = format!("{name}{GAP}{style}{word}{style:#}");
    let figures = [
        (ratio.0.clone(), ""),
        (interval.0.clone(), ""),
        (comparison.0.clone(), ""),
        (p.0.clone(), "p "),
        (n.0.clone(), "n "),
        (time.0.clone(), ""),
    ];
    let mut used = usize::MAX;
    for (figure, label) in figures.iter().filter(|(figure, _)| !figure.is_empty()) {
        let needed = label.len() + figure.width();
        if used.saturating_add(GAP.len() + needed) > width {
            let _ = write!(text, "\n{INDENT}{label}{figure}");
            used = INDENT.len() + needed;
        } else {
            let _ = write!(text, "{GAP}{label}{figure}");
            used += GAP.len() + needed;
        }
    }
    text
}
