//! The rows of the table: one line a pair where there is room, a block of lines where there is not.

use std::fmt::Write;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::{numbers, phrase, style, verdict};
use crate::record::{PairRecord, PlannedRecord};

/// The columns after the name: title, width, and whether numbers line up at its right edge.
pub(super) const COLUMNS: [(&str, usize, Align); 7] = [
    ("ratio", 7, Align::Right),
    ("interval", 18, Align::Left),
    ("candidate is", 19, Align::Left),
    ("verdict", 12, Align::Left),
    ("p", 6, Align::Right),
    ("n", 7, Align::Right),
    ("time", 8, Align::Right),
];

/// The column that has a colour.
const VERDICT: usize = 3;

/// The title of the names.
const NAME: &str = "pair";

const GAP: &str = "  ";
/// Of what belongs to the line above.
pub(super) const INDENT: &str = "    ";

#[derive(Clone, Copy)]
pub(super) enum Align {
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
    /// A layout for these pairs.
    pub(super) fn new(pairs: &[PlannedRecord], width: Option<usize>) -> Self {
        let mut name = NAME.len();
        for pair in pairs {
            name = name.max(pair.name.width());
        }
        let mut needed = name;
        for (_, width, _) in &COLUMNS {
            needed += GAP.len() + width;
        }
        Self { name, narrow: width.filter(|width| *width < needed) }
    }

    /// The titles of the columns; none where a pair takes several lines.
    pub(super) fn header(self) -> Option<String> {
        if self.narrow.is_some() {
            return None;
        }
        let mut titles = Vec::with_capacity(COLUMNS.len());
        for (title, ..) in &COLUMNS {
            titles.push(((*title).to_owned(), Style::new()));
        }
        Some(self.line(NAME, &titles))
    }

    /// A pair with its figures, or without them where there are none.
    pub(super) fn row(self, record: &PairRecord) -> String {
        let figures = figures(record);
        let style = style::style(record.outcome);
        if let Some(width) = self.narrow {
            return block(&record.name, &figures, style, width);
        }
        let mut cells = Vec::with_capacity(COLUMNS.len());
        for figure in figures {
            cells.push((figure, Style::new()));
        }
        cells[VERDICT].1 = style;
        self.line(&record.name, &cells)
    }

    fn line(self, name: &str, cells: &[(String, Style)]) -> String {
        let mut line = format!("{name}{}", " ".repeat(self.name.saturating_sub(name.width())));
        for ((text, style), (_, width, align)) in cells.iter().zip(&COLUMNS) {
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

/// What stands in the columns; nothing where there is no figure.
pub(super) fn figures(record: &PairRecord) -> [String; 7] {
    let mut comparison = String::new();
    let mut interval = String::new();
    if let Some(known) = record.interval {
        interval = numbers::interval(known.low, known.high);
        if let Some(ratio) = record.ratio {
            comparison = phrase::comparison(ratio, known);
        }
    }
    [
        record.ratio.map(numbers::ratio).unwrap_or_default(),
        interval,
        comparison,
        verdict::word(record.outcome).to_owned(),
        record.p_fail.map(numbers::p_value).unwrap_or_default(),
        record.candidate.map(|candidate| candidate.n.to_string()).unwrap_or_default(),
        record.elapsed_s.map(numbers::seconds).unwrap_or_default(),
    ]
}

/// The name and the verdict, then the figures, each whole, on as many lines as the width needs.
fn block(name: &str, figures: &[String; 7], style: Style, width: usize) -> String {
    let [ratio, interval, comparison, word, p, n, time] = figures;
    let mut text = format!("{name}{GAP}{style}{word}{style:#}");
    let mut used = usize::MAX;
    for (label, figure) in [("", ratio), ("", interval), ("", comparison), ("p ", p), ("n ", n), ("", time)] {
        if figure.is_empty() {
            continue;
        }
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
