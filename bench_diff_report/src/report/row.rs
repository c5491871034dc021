//! The rows of the table on a terminal: one line per pair.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::columns::{self, Cell, GAP, NARROWEST_NAME, shortened, with_room};
use super::table_kind::TableKind;
use super::{explain, sides};
use crate::record::{PairRecord, StartRecord};
use bench_diff_system::order::sort_by;

/// The width of a throughput.
const RATE: usize = 14;
/// The widest column of names where no one looks at a terminal.
const WIDEST_NAME: usize = 100;

/// The indentation of lines below a row.
pub(super) const INDENT: &str = "    ";

/// The layout of rows, decided once for a run so that all of them line up.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    kind: TableKind,
    name: usize,
    shown: Vec<bool>,
    /// The most columns that a throughput may take, which has no title, since a run may have none. `None` for
    /// rows without it.
    throughput: Option<usize>,
}

impl Columns {
    /// The columns for the pairs of this run.
    pub(super) fn new(start: &StartRecord, width: Option<usize>) -> Self {
        let kind = TableKind::of(start);
        let has_throughput = kind == TableKind::Latencies;
        let room_of_last = if has_throughput { GAP.len() + RATE } else { 0 };
        let room = width.map(|width| width.saturating_sub(room_of_last));
        let (shown, room) = with_room(kind.columns(), kind.dispensable(), room);
        let longest = start.pairs.iter().map(|pair| pair.name.width()).max().unwrap_or_default();
        let name = longest.max(sides::subject(start).len());
        let name = name.min(room.map_or(WIDEST_NAME, |room| room.max(NARROWEST_NAME)));
        // Names leave it what they do not need.
        let most = room.map_or(usize::MAX, |room| (room + RATE).saturating_sub(name));
        Self { kind, name, shown, throughput: has_throughput.then_some(most) }
    }

    /// The titles of the columns.
    pub(super) fn header(&self, start: &StartRecord) -> String {
        let titles: Vec<Cell> =
            self.kind.titles(start).into_iter().map(|title| (title, Style::new())).collect();
        self.line(sides::subject(start), &titles, "")
    }

    /// Returns whether a name is too long for its row.
    pub(super) fn shortens(&self, name: &str) -> bool {
        name.width() > self.name
    }

    /// Returns whether the row of this pair has all of its throughput.
    pub(super) fn has_throughput(&self, record: &PairRecord) -> bool {
        self.throughput.is_some_and(|room| explain::rates(record, room) == explain::rates(record, usize::MAX))
    }

    /// A pair with its figures, or without them where there are none.
    pub(super) fn row(&self, record: &PairRecord) -> String {
        let mut cells: Vec<Cell> =
            self.kind.cells(record).into_iter().map(|text| (text, Style::new())).collect();
        if record.timing().is_none() || self.kind == TableKind::Comparisons {
            cells[self.kind.of_outcome()].1 = columns::style(record.outcome());
        }
        let rates = self.throughput.and_then(|room| explain::rates(record, room));
        self.line(&shortened(&record.name, self.name), &cells, &rates.unwrap_or_default())
    }

    fn line(&self, name: &str, cells: &[Cell], last: &str) -> String {
        let line = columns::line(name, self.name, cells, self.kind.columns(), &self.shown);
        format!("{line}{GAP}{last}").trim_end().to_owned()
    }
}

/// The records by the ratio; what has none comes last.
pub(super) fn fastest_first(records: &[PairRecord]) -> Vec<&PairRecord> {
    let ratio = |record: &PairRecord| record.figures().map_or(f64::INFINITY, |figures| figures.ratio);
    let mut sorted: Vec<&PairRecord> = records.iter().collect();
    sort_by(&mut sorted, |a, b| ratio(a).total_cmp(&ratio(b)));
    sorted
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
        for (width, name) in [(None, 21), (Some(80), 12), (Some(100), 21), (Some(140), 21)] {
            let columns = Columns::new(&start, width);
            assert_eq!(columns.name, name, "{width:?}");
            let header = columns.header(&start);
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
    }
}
