//! The tables of a page.

/// A markdown table, with the marks of emphasis and code taken off its cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// The column of this name.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

/// The tables of a text, in their order.
pub(crate) fn tables(text: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_ruled = lines.peek().is_some_and(|rule| is_rule(rule));
        if !(is_row(line) && is_ruled) {
            continue;
        }
        lines.next();
        let mut rows = Vec::new();
        while let Some(row) = lines.next_if(|line| is_row(line)) {
            rows.push(cells(row));
        }
        tables.push(Table { columns: cells(line), rows });
    }
    tables
}

pub(crate) fn is_row(line: &str) -> bool {
    line.len() > 1 && line.starts_with('|') && line.ends_with('|')
}

fn is_rule(line: &str) -> bool {
    is_row(line) && line.chars().all(|character| "|-: ".contains(character))
}

fn cells(row: &str) -> Vec<String> {
    let inside = &row[1..row.len() - 1];
    inside.split('|').map(|cell| cell.trim().replace(['`', '*'], "")).collect()
}
