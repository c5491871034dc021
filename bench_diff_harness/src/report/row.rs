//! The rows of the table: one line a pair.

use std::fmt::Write;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::pair_text::PairText;
use super::{interval_bar, phrase, sides, style, timing};
use crate::record::{PairRecord, StartRecord};
use crate::system::wrap::fitting;

/// The title of a column, its width, and whether numbers line up at its right edge.
pub(super) type Column = (&'static str, usize, Align);

/// The columns after the name. With a name of 14 columns a row takes 80.
pub(super) const COLUMNS: [Column; 5] = [
    ("baseline", 8, Align::Right),
    ("candidate", 9, Align::Right),
    ("change", 13, Align::Left),
    ("interval, %", 14, Align::Left),
    ("verdict", 12, Align::Left),
];

/// The column that has a colour.
const VERDICT: usize = 4;

/// The columns that a narrow terminal has no room for, from the first that goes.
const DISPENSABLE: [usize; 4] = [3, 0, 2, 1];

/// The narrowest terminal with a picture beside a row.
const WITH_STRIP: usize = 100;
/// The narrowest column of names, and the widest one where no one looks at a terminal.
const NARROWEST_NAME: usize = 11;
const WIDEST_NAME: usize = 100;

pub(super) const GAP: &str = "  ";
/// Of what belongs to the line above.
pub(super) const INDENT: &str = "    ";

#[derive(Clone, Copy)]
pub(super) enum Align {
    Left,
    Right,
}

/// The layout of rows, decided once for a run so that all of them line up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Columns {
    name: usize,
    shown: [bool; COLUMNS.len()],
    has_strip: bool,
}

impl Columns {
    /// The columns for the pairs of this run.
    pub(super) fn new(start: &StartRecord, width: Option<usize>) -> Self {
        let has_strip = width.is_some_and(|width| width >= WITH_STRIP);
        let strip = if has_strip { GAP.len() + interval_bar::WIDTH } else { 0 };
        let room = width.map(|width| width.saturating_sub(strip));
        let (shown, room) = with_room(&COLUMNS, &DISPENSABLE, room);
        let room = room.map_or(WIDEST_NAME, |room| room.max(NARROWEST_NAME));
        let longest = start.pairs.iter().map(|pair| pair.name.width()).max().unwrap_or_default();
        let [title, ..] = sides::titles(start);
        let name = longest.max(title.len()).min(room);
        Self { name, shown, has_strip }
    }

    /// The titles of the columns.
    pub(super) fn header(self, start: &StartRecord) -> String {
        let [name, baseline, candidate] = sides::titles(start);
        let mut titles = COLUMNS.map(|(title, ..)| (title.to_owned(), Style::new()));
        (titles[0].0, titles[1].0) = (baseline, candidate);
        let strip = if self.has_strip { interval_bar::TITLE } else { "" };
        self.line(&name, &titles, strip)
    }

    /// Returns whether a name is too long for its row.
    pub(super) fn shortens(self, name: &str) -> bool {
        name.width() > self.name
    }

    /// The meaning of the signs in the pictures, if there are pictures.
    pub(super) fn legend(self) -> Option<&'static str> {
        self.has_strip.then_some(interval_bar::LEGEND)
    }

    /// A pair with its figures, or without them where there are none.
    pub(super) fn row(self, record: &PairRecord) -> String {
        let mut cells = figures(record).map(|figure| (figure, Style::new()));
        cells[VERDICT].1 = style::style(record.outcome());
        let figures = record.figures().filter(|_| self.has_strip);
        let strip = figures.map(|figures| interval_bar::render(record.gate.as_ref(), figures));
        self.line(&shortened(&record.name, self.name), &cells, &strip.unwrap_or_default())
    }

    fn line(self, name: &str, cells: &[(String, Style)], strip: &str) -> String {
        let line = line(name, self.name, cells, &COLUMNS, &self.shown);
        format!("{line}{GAP}{strip}").trim_end().to_owned()
    }
}

/// Which of these columns have room in a terminal of this width beside a name, if the others go in this
/// order, and the room of the names.
pub(super) fn with_room<const N: usize>(
    columns: &[Column; N],
    dispensable: &[usize],
    width: Option<usize>,
) -> ([bool; N], Option<usize>) {
    let mut shown = [true; N];
    let Some(width) = width else { return (shown, None) };
    let room = |shown: &[bool; N]| {
        let shown = columns.iter().zip(shown).filter(|(_, shown)| **shown);
        width.checked_sub(shown.map(|((_, width, _), _)| GAP.len() + width).sum())
    };
    for column in dispensable {
        if room(&shown).is_some_and(|room| room >= NARROWEST_NAME) {
            break;
        }
        shown[*column] = false;
    }
    (shown, Some(room(&shown).unwrap_or_default()))
}

/// A name in this many columns, and the cells of those of these columns behind it that are shown.
pub(super) fn line(
    name: &str,
    width: usize,
    cells: &[(String, Style)],
    columns: &[Column],
    shown: &[bool],
) -> String {
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

/// A name with as much of its start and of its end as has room: the one tells modules apart, the other args.
pub(super) fn shortened(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let room = width.saturating_sub(1);
    let start: String = fitting(name.chars(), room.div_ceil(2)).collect();
    let end: Vec<char> = fitting(name.chars().rev(), room / 2).collect();
    format!("{start}…{}", end.iter().rev().collect::<String>())
}

/// The records by the ratio; what has none comes last.
pub(super) fn fastest_first(records: &[PairRecord]) -> Vec<&PairRecord> {
    let ratio = |record: &PairRecord| record.figures().map_or(f64::INFINITY, |figures| figures.ratio);
    let mut sorted: Vec<&PairRecord> = records.iter().collect();
    sorted.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    sorted
}

/// The texts of the columns; empty if there is no figure.
pub(super) fn figures(record: &PairRecord) -> [String; 5] {
    let (_, room, _) = COLUMNS[VERDICT];
    let verdict = phrase::verdict(record, room);
    if let Some(timing) = record.timing() {
        let [baseline, candidate, change, interval] = timing::cells(timing);
        return [baseline, candidate, change, interval, verdict];
    }
    let Some(text) = PairText::of(record) else {
        return ["", "", "", "", &verdict].map(str::to_owned);
    };
    let [baseline, candidate] = text.latencies();
    [baseline, candidate, text.change(), text.interval(), verdict]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::PlannedRecord;

    #[test]
    fn a_long_name_is_shortened_in_its_middle() {
        assert_eq!(shortened("sort::unstable/100", 18), "sort::unstable/100");
        assert_eq!(shortened("sort::unstable/100", 14), "sort::u…le/100");
        assert_eq!(shortened("größe/数数", 7), "grö…数");
    }

    #[test]
    fn a_row_has_room_in_80_columns() {
        let pairs = vec![PlannedRecord { name: "module::function/1000".to_owned(), group: None }];
        let start = StartRecord { pairs, ..StartRecord::default() };
        for (width, name) in [(None, 21), (Some(80), 14), (Some(100), 11), (Some(140), 21)] {
            let columns = Columns::new(&start, width);
            assert_eq!(columns.name, name, "{width:?}");
            let header = columns.header(&start);
            assert!(width.is_none_or(|width| header.width() <= width), "{header}");
        }
    }

    #[test]
    fn a_narrow_terminal_has_fewer_columns() {
        let pairs = vec![PlannedRecord { name: "module::function/1000".to_owned(), group: None }];
        let start = StartRecord { pairs, ..StartRecord::default() };
        let titles = |width| {
            let header = Columns::new(&start, Some(width)).header(&start);
            assert!(header.width() <= width, "{width}: {header}");
            header.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(titles(77), "pair baseline candidate change interval, % verdict");
        assert_eq!([titles(76), titles(61)], ["pair baseline candidate change verdict"; 2]);
        assert_eq!([titles(60), titles(51)], ["pair candidate change verdict"; 2]);
        assert_eq!([titles(50), titles(36)], ["pair candidate verdict"; 2]);
        assert_eq!(titles(25), "pair verdict");
    }
}
