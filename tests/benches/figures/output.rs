//! The output of a study: tables, and lines between them.

use crate::page::is_row;

/// A part of what was printed, in its order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The lines of a markdown table, with its title.
    Table(Vec<String>),
    Text(Vec<String>),
}

/// The parts of an output. `columns` is the title of rows that come without one.
pub(crate) fn parts(output: &str, columns: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for line in output.lines() {
        let line = without_test(line.trim_end());
        match (is_row(line).then_some(line), parts.last_mut()) {
            (Some(row), Some(Part::Table(rows))) => rows.push(row.to_owned()),
            (Some(row), _) => parts.push(Part::Table(vec![row.to_owned()])),
            (None, _) if is_of_libtest(line) => {}
            (None, Some(Part::Text(lines))) if !line.is_empty() => lines.push(line.to_owned()),
            (None, _) if line.is_empty() => parts.push(Part::Text(Vec::new())),
            (None, _) => parts.push(Part::Text(vec![line.to_owned()])),
        }
    }
    parts.retain(|part| !matches!(part, Part::Text(lines) if lines.is_empty()));
    for part in &mut parts {
        if let Part::Table(rows) = part {
            give_title(rows, columns);
        }
    }
    parts
}

/// A line without the name of the test that stands before the first one that it prints.
fn without_test(line: &str) -> &str {
    let of_test = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "));
    of_test.map_or(line, |(_, printed)| printed)
}

/// Returns whether the test harness of Rust printed this line.
fn is_of_libtest(line: &str) -> bool {
    let (dots, line) = (line, line.trim_start_matches('.'));
    line == "ok"
        || line.is_empty() && !dots.is_empty()
        || line.starts_with("running ")
        || line.starts_with("test ")
}

fn give_title(rows: &mut Vec<String>, columns: &str) {
    let has_title = rows.get(1).is_some_and(|rule| rule.chars().all(|character| "|-: ".contains(character)));
    if !has_title {
        let count = rows[0].matches('|').count() - 1;
        let is_for_it = columns.split(" | ").count() == count && !columns.is_empty();
        let title = match is_for_it {
            true => columns.to_owned(),
            false => (1..=count).map(|column| format!("column {column}")).collect::<Vec<_>>().join(" | "),
        };
        rows.splice(0..0, [format!("| {title} |"), format!("|{}", "---|".repeat(count))]);
    }
}
