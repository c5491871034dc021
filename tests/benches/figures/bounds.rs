//! The bounds that documents state for what is measured, in `docs/measurements/bounds.csv`.
//!
//! A row names a study, the beginning of a row of a table of its page, and a column. Where it names a column of
//! the total as well, the figure is a count of that many, and it is outside only where its 95 % bounds after
//! Clopper & Pearson are: chance alone moves a count.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::make::page_of;
use crate::numbers::value;
use crate::page::tables;
use crate::share::share_bounds;

/// The bounds on a figure.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) study: String,
    /// The first cells of the row, with ` | ` between them.
    row: String,
    column: String,
    /// The column of the total; empty where the figure is no count.
    of: String,
    least: Option<f64>,
    most: Option<f64>,
    /// The claim of a document.
    claim: String,
}

/// The bounds of this file.
pub(crate) fn read(path: &Path) -> Result<Vec<Bound>, Box<dyn Error>> {
    let mut reader = csv::Reader::from_path(path)?;
    let mut bounds = Vec::new();
    for record in reader.records() {
        let record = record?;
        let text = |index: usize| record.get(index).unwrap_or_default().to_owned();
        let limit = |index: usize| -> Result<Option<f64>, Box<dyn Error>> {
            Ok(Some(text(index)).filter(|text| !text.is_empty()).map(|text| text.parse()).transpose()?)
        };
        bounds.push(Bound {
            study: text(0),
            row: text(1),
            column: text(2),
            of: text(3),
            least: limit(4)?,
            most: limit(5)?,
            claim: text(6),
        });
    }
    Ok(bounds)
}

/// The figures of the pages of this folder that lie outside of these bounds, or are missing.
pub(crate) fn complaints(bounds: &[Bound], folder: &Path) -> Vec<String> {
    let complaint = |bound: &Bound| match fs::read_to_string(page_of(&bound.study, folder)) {
        Ok(page) => bound.complaint(&page),
        Err(error) => Some(format!("{}: {error}", bound.study)),
    };
    bounds.iter().filter_map(complaint).collect()
}

impl Bound {
    /// The complaint about this page, if there is one.
    fn complaint(&self, page: &str) -> Option<String> {
        let Self { study, row, column, claim, .. } = self;
        let place = format!("{study}, {row}, {column}");
        let Some((low, high)) = self.figure(page) else { return Some(format!("{place}: is not there")) };
        let is_low = self.least.is_some_and(|least| high < least);
        let is_high = self.most.is_some_and(|most| low > most);
        if !(is_low || is_high) {
            return None;
        }
        let shown = |limit: Option<f64>| limit.map_or("...".to_owned(), |limit| limit.to_string());
        let figure = if low == high { low.to_string() } else { format!("{low:.4} to {high:.4}") };
        Some(format!(
            "{place}: {figure}, where {} to {} is stated ({claim})",
            shown(self.least),
            shown(self.most)
        ))
    }

    /// The figure, or the bounds of a share.
    fn figure(&self, page: &str) -> Option<(f64, f64)> {
        tables(page).iter().find_map(|table| {
            let column = table.column(&self.column)?;
            let row = table.rows.iter().find(|row| row.join(" | ").starts_with(&self.row))?;
            let figure = value(row.get(column)?)?;
            if self.of.is_empty() {
                return Some((figure, figure));
            }
            let total = value(row.get(table.column(&self.of)?)?)?;
            Some(share_bounds(figure as u64, total as u64))
        })
    }
}
