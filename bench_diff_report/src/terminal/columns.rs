//! The rows of the table on a terminal: one line per pair, in columns that fit, with its styles.

use std::fmt::Write as _;
use std::io;
use std::io::Write;

use anstyle::AnsiColor;
use anstyle::Style;
use bench_diff_system::wrap::fitting;
use bench_diff_system::wrap::wrapped;
use unicode_width::UnicodeWidthStr;

use crate::record::{Outcome, PairRecord, StartRecord};
use crate::text::explain;
use crate::text::overall;
use crate::text::table::{Align, TableKind};

/// The width of a throughput.
const RATE: usize = 14;
/// The title of the baselines behind the columns.
const AGAINST: &str = "against";
/// The widest column of names where no one looks at a terminal.
const WIDEST_NAME: usize = 100;

/// The indentation of lines below a row.
pub(crate) const INDENT: &str = "    ";

/// The layout of rows, decided once for a run so that all of them line up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    kind: TableKind,
    name: usize,
    shown: Vec<bool>,
    /// The width for the text behind the columns: the baseline of a pair, or a throughput, which has no
    /// title, since a run may have none.
    last: usize,
}

impl Columns {
    /// The columns for the pairs of this run.
    pub(crate) fn new(start: &StartRecord, width: Option<usize>) -> Self {
        let kind = TableKind::of(start);
        let least = if kind == TableKind::Latencies { GAP.len() + RATE } else { 0 };
        let room = width.map(|width| width.saturating_sub(least));
        let (shown, room) = with_room(kind, room);
        let longest = start.pairs.iter().map(|pair| pair.name.width()).max().unwrap_or_default();
        let name = longest.max(overall::subject(start).len());
        let name = name.min(room.map_or(WIDEST_NAME, |room| room.max(NARROWEST_NAME)));
        // Names leave it what they do not need.
        let left = room.map_or(usize::MAX, |room| (room + least).saturating_sub(name + GAP.len()));
        let names_baselines = start.against.is_none() && left >= AGAINST.len();
        let last = if kind == TableKind::Latencies || names_baselines { left } else { 0 };
        Self { kind, name, shown, last }
    }

    /// The titles of the columns.
    pub(crate) fn header(&self, start: &StartRecord) -> String {
        let titles: Vec<Cell> =
            self.kind.titles(start).into_iter().map(|title| (title, Style::new())).collect();
        self.line(overall::subject(start), &titles, if self.names_baselines() { AGAINST } else { "" })
    }

    /// Returns whether a name is too long for its row.
    pub(crate) fn shortens(&self, name: &str) -> bool {
        name.width() > self.name
    }

    /// Returns whether rows have room for the names of baselines.
    pub(crate) fn names_baselines(&self) -> bool {
        self.kind == TableKind::Comparisons && self.last > 0
    }

    /// A pair with its figures, or without them where there are none.
    pub(crate) fn row(&self, record: &PairRecord) -> String {
        let mut cells: Vec<Cell> =
            self.kind.cells(record).into_iter().map(|text| (text, Style::new())).collect();
        if record.timing().is_none() || self.kind == TableKind::Comparisons {
            cells[self.kind.of_outcome()].1 = style(record.outcome());
        }
        let against = record.against.as_ref().filter(|_| self.last > 0);
        let last = match self.kind {
            TableKind::Latencies => explain::rates(record, self.last),
            TableKind::Comparisons => against.map(|name| shortened(name, self.last)),
        };
        self.line(&shortened(&record.name, self.name), &cells, &last.unwrap_or_default())
    }

    fn line(&self, name: &str, cells: &[Cell], last: &str) -> String {
        let mut line = format!("{name}{}", " ".repeat(self.name.saturating_sub(name.width())));
        let cells = cells.iter().zip(self.kind.columns()).zip(&self.shown).filter(|(_, shown)| **shown);
        for (((text, style), (_, width, align)), _) in cells {
            let padding = " ".repeat(width.saturating_sub(text.width()));
            let (before, after) = match align {
                Align::Left => ("", padding.as_str()),
                Align::Right => (padding.as_str(), ""),
            };
            let _ = write!(line, "{GAP}{before}{style}{text}{style:#}{after}");
        }
        format!("{line}{GAP}{last}").trim_end().to_owned()
    }
}

/// The text of a column in a line.
pub(crate) type Cell = (String, Style);

pub(crate) const GAP: &str = "  ";

/// The narrowest column of names.
pub(crate) const NARROWEST_NAME: usize = 11;

/// Which of these columns fit into a terminal of this width beside a name, if they are left out in the order
/// of `dispensable`; and the width that is left for names.
fn with_room(kind: TableKind, width: Option<usize>) -> (Vec<bool>, Option<usize>) {
    let mut shown = vec![true; kind.columns().len()];
    let Some(width) = width else { return (shown, None) };
    let room = |shown: &[bool]| {
        let shown = kind.columns().iter().zip(shown).filter(|(_, shown)| **shown);
        width.checked_sub(shown.map(|((_, width, _), _)| GAP.len() + width).sum())
    };
    for column in kind.dispensable() {
        if room(&shown).is_some_and(|room| room >= NARROWEST_NAME) {
            break;
        }
        shown[*column] = false;
    }
    let room = room(&shown).unwrap_or_default();
    (shown, Some(room))
}

/// A name with its middle left out if it is too long: its start shows the module, its end the arg.
pub(crate) fn shortened(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let room = width.saturating_sub(1);
    let start: String = fitting(name.chars(), room.div_ceil(2)).collect();
    let end: Vec<char> = fitting(name.chars().rev(), room / 2).collect();
    format!("{start}…{}", end.iter().rev().collect::<String>())
}

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

/// The conventional colours: green is good, red is bad, yellow needs attention.
pub(crate) fn style(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Pass => AnsiColor::Green.on_default(),
        Outcome::Fail | Outcome::Error => AnsiColor::Red.on_default().bold(),
        Outcome::Inconclusive | Outcome::Ignored => AnsiColor::Yellow.on_default(),
        Outcome::Measured => AnsiColor::Cyan.on_default(),
    }
}

/// Writes a text that matters less than its surroundings, wrapped at the width.
pub(crate) fn dimmed(out: &mut dyn Write, text: &str, indent: &str, width: Option<usize>) -> io::Result<()> {
    wrapped(text, indent, width).iter().try_for_each(|line| writeln!(out, "{DIM}{line}{DIM:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::PlannedRecord;

    /// A run of one pair, or of one function without a baseline.
    fn start(is_compared: bool) -> StartRecord {
        let name = "module::function/1000".to_owned();
        let pairs = vec![PlannedRecord { name, group: None, is_compared }];
        StartRecord { pairs, ..StartRecord::default() }
    }

    #[test]
    fn a_row_has_room_in_80_columns() {
        let start = start(true);
        for (width, name, names_baselines) in
            [(None, 21, true), (Some(80), 12, false), (Some(97), 21, false), (Some(98), 21, true)]
        {
            let columns = Columns::new(&start, width);
            let header = columns.header(&start);
            assert_eq!((columns.name, header.ends_with("against")), (name, names_baselines), "{width:?}");
            assert!(width.is_none_or(|width| header.width() <= width), "{header}");
        }
    }

    /// The titles in a terminal of this width.
    fn titles(start: &StartRecord, width: usize) -> String {
        let header = Columns::new(start, Some(width)).header(start);
        assert!(header.width() <= width, "{width}: {header}");
        header.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_narrow_terminal_has_fewer_columns() {
        let titles = |width| titles(&start(true), width);
        assert_eq!(titles(79), "pair baseline candidate change interval verdict");
        assert_eq!([titles(78), titles(61)], ["pair baseline candidate change verdict"; 2]);
        assert_eq!([titles(60), titles(51)], ["pair candidate change verdict"; 2]);
        assert_eq!([titles(50), titles(36)], ["pair candidate verdict"; 2]);
        assert_eq!(titles(25), "pair verdict");
    }

    #[test]
    fn a_run_that_compares_nothing_has_latencies_alone() {
        for width in [22, 60, 80, 140] {
            assert_eq!(titles(&start(false), width), "function latency");
        }
        let mut both = start(false);
        both.pairs.extend(start(true).pairs);
        assert_eq!(titles(&both, 80), "function baseline candidate change interval verdict");
        assert_eq!(titles(&both, 100), "function baseline candidate change interval verdict against");
    }

    #[test]
    fn a_long_name_is_shortened_in_its_middle() {
        assert_eq!(shortened("sort::unstable/100", 18), "sort::unstable/100");
        assert_eq!(shortened("sort::unstable/100", 14), "sort::u…le/100");
        assert_eq!(shortened("größe/数数", 7), "grö…数");
    }
}
