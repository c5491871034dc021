//! What a document quotes, and whether the measurement that it links to has it.
//!
//! A paragraph, an item of a list or a table is a block. A block that quotes figures links to the section that
//! has them, `[...](docs/measurements/2026-11-22.md#layouts)`; a table may leave that to the paragraph above it.
//! Every number of such a block stands in a section that it links to, in the same digits. A block without a link
//! has no figure: no number with a unit, and no count of a total. What nobody measured, such as the length of a
//! slot, is a setting, and has its words in the list of settings.

use std::collections::BTreeSet;

use crate::measurements::Measurements;
use crate::numbers::numbers;
use crate::page::{Section, is_row};

/// What follows a number that was measured.
const UNITS: [&str; 21] = [
    "%",
    " %",
    "x",
    " ns",
    " us",
    " ms",
    " s",
    " seconds",
    " minutes",
    " hours",
    " B",
    " kB",
    " KB",
    " KiB",
    " MB",
    " MiB",
    " GB",
    " times",
    " runs",
    " gates",
    " processes",
];

/// A document, and the settings that it may name.
pub(crate) struct Document<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

/// A piece of a document that is about one thing.
struct Block {
    /// Where it begins, from 1.
    line: usize,
    text: String,
}

/// What is wrong with the figures of these documents.
pub(crate) fn complaints(
    documents: &[Document<'_>],
    settings: &[&str],
    measurements: &Measurements,
) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut used = BTreeSet::new();
    for document in documents {
        let mut links_above = Vec::new();
        for block in blocks(document.text) {
            let place = format!("{}:{}", document.name, block.line);
            let is_table = block.text.starts_with('|');
            let mut links = links(&block.text);
            if links.is_empty() && is_table {
                links.clone_from(&links_above);
            }
            let (text, of_block) = without_settings(&visible(&block.text), settings);
            used.extend(of_block);
            let mut found = Vec::new();
            for (date, anchor) in &links {
                match section(measurements, date, anchor) {
                    Ok(section) => found.push(section),
                    Err(error) => complaints.push(format!("{place}: {error}")),
                }
            }
            if links.is_empty() {
                let unsourced = figures(&text);
                if !unsourced.is_empty() {
                    let figures = unsourced.join(", ");
                    complaints
                        .push(format!("{place}: {figures} without a link to a measurement, and no setting"));
                }
            } else if found.len() == links.len() {
                let known: BTreeSet<&str> = found.iter().flat_map(|section| numbers(&section.text)).collect();
                for number in numbers(&text).filter(|number| !known.contains(number)) {
                    let sections: Vec<String> =
                        links.iter().map(|(date, anchor)| format!("{date}.md#{anchor}")).collect();
                    complaints.push(format!("{place}: {number} is not in {}", sections.join(", ")));
                }
            }
            links_above = links;
        }
    }
    let unused = settings.iter().filter(|setting| !used.contains(**setting));
    complaints
        .extend(unused.map(|setting| format!("no document says \"{setting}\", which is called a setting")));
    complaints
}

fn section<'a>(measurements: &'a Measurements, date: &str, anchor: &str) -> Result<&'a Section, String> {
    let section = measurements
        .section(date, anchor)
        .ok_or_else(|| format!("there is no section {anchor} in measurements/{date}.md"))?;
    match measurements.newest(anchor) {
        Some((newest, _)) if newest != date => {
            Err(format!("{anchor} of {date} is quoted, and has been measured again on {newest}"))
        }
        _ => Ok(section),
    }
}

/// The blocks of a document, without code and headings.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut is_code, mut is_open) = (false, false);
    for (line, content) in (1..).zip(text.lines()) {
        let trimmed = content.trim_start();
        if trimmed.starts_with("```") {
            is_code = !is_code;
            is_open = false;
            continue;
        }
        if is_code || trimmed.is_empty() || trimmed.starts_with('#') {
            is_open = false;
            continue;
        }
        let begins_table = is_row(content) && !blocks.last().is_some_and(|block| block.text.starts_with('|'));
        if !is_open || is_item(trimmed) || begins_table {
            blocks.push(Block { line, text: String::new() });
        }
        is_open = true;
        if let Some(block) = blocks.last_mut() {
            block.text.push_str(trimmed);
            block.text.push('\n');
        }
    }
    blocks
}

fn is_item(line: &str) -> bool {
    let after_number = line.trim_start_matches(|character: char| character.is_ascii_digit());
    line.starts_with("- ") || (after_number.len() < line.len() && after_number.starts_with(". "))
}

/// The dates and anchors of the measurements that a text links to.
fn links(text: &str) -> Vec<(String, String)> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets
        .filter_map(|(target, _)| {
            let (_, page) = target.split_once("measurements/")?;
            let (date, anchor) = page.split_once(".md#")?;
            Some((date.to_owned(), anchor.to_owned()))
        })
        .collect()
}

/// What a reader sees of a text as prose: no code in it, no targets of links. A line is no end of a phrase.
fn visible(text: &str) -> String {
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let mut visible = String::new();
    let mut rest = prose.as_str();
    while let Some((before, after)) = rest.split_once("](") {
        visible.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    visible.push_str(rest);
    visible.split_whitespace().collect::<Vec<_>>().join(" ").replace("**", "")
}

/// A text without the settings in it, and which these are.
fn without_settings<'a>(text: &str, settings: &[&'a str]) -> (String, Vec<&'a str>) {
    let mut text = text.to_owned();
    let mut used = Vec::new();
    for setting in settings {
        if text.contains(setting) {
            used.push(*setting);
            text = text.replace(setting, "...");
        }
    }
    (text, used)
}

/// The numbers of a text that look measured, with what follows them.
fn figures(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(number) = numbers(rest).next() {
        let Some(at) = rest.find(number) else { break };
        rest = &rest[at + number.len()..];
        let unit = UNITS.iter().find(|unit| {
            rest.strip_prefix(**unit).is_some_and(|after| !after.starts_with(char::is_alphanumeric))
        });
        let total = rest.strip_prefix(" of ").and_then(|after| {
            let total = numbers(after).next()?;
            after.starts_with(total).then(|| format!(" of {total}"))
        });
        match (unit, total) {
            (_, Some(total)) => found.push(format!("{number}{total}")),
            (Some(unit), None) => found.push(format!("{number}{unit}")),
            (None, None) => {}
        }
    }
    found
}
