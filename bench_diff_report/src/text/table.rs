//! The columns of a table and what is in them, for any report that has one.

use bench_diff_system::order::sort_by;

use crate::record::{PairRecord, StartRecord};
use crate::text::pair::{self, PairText};
use crate::text::{numbers, overall, phrase};

/// The title of a column, its width, and whether numbers line up at its right edge.
pub(crate) type Column = (&'static str, usize, Align);

#[derive(Clone, Copy)]
pub(crate) enum Align {
    Left,
    Right,
}

/// The columns after the name in a table of comparisons. With a name of 12 columns a row takes 80.
pub(crate) const COMPARISONS: [Column; 5] = [
    ("baseline", 8, Align::Right),
    ("candidate", 9, Align::Right),
    ("change", 13, Align::Left),
    ("interval", 16, Align::Left),
    ("verdict", 12, Align::Left),
];

/// The same in a table of latencies. A pair without a latency shows its outcome there.
const LATENCIES: [Column; 1] = [("latency", 9, Align::Right)];

/// What the rows of a table show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TableKind {
    #[default]
    Comparisons,
    Latencies,
}

impl TableKind {
    /// The table of this run.
    pub(crate) fn of(start: &StartRecord) -> Self {
        if start.compares_nothing() { Self::Latencies } else { Self::Comparisons }
    }

    /// The columns after the name.
    pub(crate) fn columns(self) -> &'static [Column] {
        match self {
            Self::Comparisons => &COMPARISONS,
            Self::Latencies => &LATENCIES,
        }
    }

    /// The columns that a narrow terminal leaves out, in this order.
    pub(crate) fn dispensable(self) -> &'static [usize] {
        match self {
            Self::Comparisons => &[3, 0, 2, 1],
            Self::Latencies => &[],
        }
    }

    /// The column with the outcome.
    pub(crate) fn of_outcome(self) -> usize {
        self.columns().len() - 1
    }

    /// The titles of the columns.
    pub(crate) fn titles(self, start: &StartRecord) -> Vec<String> {
        let mut titles: Vec<String> = self.columns().iter().map(|(title, ..)| (*title).to_owned()).collect();
        if self == Self::Comparisons {
            titles[..2].clone_from_slice(&overall::names(start));
        }
        titles
    }

    /// The texts of the columns; empty if there is no figure.
    pub(crate) fn cells(self, record: &PairRecord) -> Vec<String> {
        if self == Self::Latencies {
            let latency = record.timing().map(|timing| numbers::latency(timing.latency.ns));
            return vec![latency.unwrap_or_else(|| record.outcome().shown().to_owned())];
        }
        let verdict = phrase::verdict(record);
        let figures = match (PairText::of(record), record.timing()) {
            (Some(text), _) => {
                let [baseline, candidate] = text.latencies();
                // The same code was called a few times, to see that it works.
                let baseline = if text.figures.same_code { String::new() } else { baseline };
                [baseline, candidate, text.change(), text.interval()]
            }
            (None, Some(timing)) => pair::latency_cells(timing),
            (None, None) => Default::default(),
        };
        figures.into_iter().chain([verdict]).collect()
    }
}

/// The records by the ratio; what has none comes last.
pub(crate) fn fastest_first(records: &[PairRecord]) -> Vec<&PairRecord> {
    let ratio = |record: &PairRecord| record.figures().map_or(f64::INFINITY, |figures| figures.ratio);
    let mut sorted: Vec<&PairRecord> = records.iter().collect();
    sort_by(&mut sorted, |a, b| ratio(a).total_cmp(&ratio(b)));
    sorted
}
