//! A page of measurements: sections with an anchor each, and the tables in them.

/// A section of a page, from its heading to the next one.
pub(crate) struct Section {
    /// The end of a link to it.
    pub(crate) anchor: String,
    pub(crate) text: String,
}

impl Section {
    pub(crate) fn tables(&self) -> Vec<Table> {
        tables(&self.text)
    }
}

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

    /// The table as comma-separated values.
    pub(crate) fn csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        writer.write_record(&self.columns)?;
        self.rows.iter().try_for_each(|row| writer.write_record(row))?;
        writer.into_inner().map_err(|error| error.into_error().into())
    }
}

/// The sections of a page; what stands above the first one is none.
pub(crate) fn sections(page: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            sections.push(Section { anchor: anchor(heading), text: String::new() });
        }
        if let Some(section) = sections.last_mut() {
            section.text.push_str(line);
            section.text.push('\n');
        }
    }
    sections
}

/// The anchor that GitHub makes of a heading.
pub(crate) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|character| character.is_alphanumeric() || " -_".contains(*character));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
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
