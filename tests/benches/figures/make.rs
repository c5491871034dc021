//! Studies run and written down: a dated page, and its tables as CSV beside it.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use crate::output::{Part, parts};
use crate::page::{sections, tables};
use crate::study::{Measured, Study};

/// When something was measured, and on what.
pub(crate) struct Occasion {
    /// `2026-11-22`.
    pub(crate) date: String,
    /// The machine, in a sentence.
    pub(crate) machine: String,
}

/// Runs cargo with these arguments; what it printed comes back.
pub(crate) type Run<'a> = dyn FnMut(&[&str]) -> Result<String, Box<dyn Error>> + 'a;

/// Runs these studies and writes each, as soon as it ends, to the page of the day in this folder.
///
/// The text of a page stays as it is. If one of these studies is in the page of the day already, the page of
/// its next letter is written.
pub(crate) fn make(
    studies: &[Study],
    is_short: bool,
    folder: &Path,
    occasion: &Occasion,
    run: &mut Run<'_>,
) -> Result<PathBuf, Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let name = free_name(studies, folder, &occasion.date)?;
    let path = folder.join(&name).with_extension("md");
    for study in studies {
        let section = section(study, is_short, folder, &name, occasion, run)?;
        let page = match fs::read_to_string(&path) {
            Ok(page) => page,
            Err(_) => head(&name),
        };
        fs::write(&path, format!("{page}\n{section}"))?;
    }
    Ok(path)
}

fn head(name: &str) -> String {
    format!(
        "# Measured on {name}\n\nEach section is a measurement: what was asked, the machine, the command, the counts. This page is \
         not edited again;\nwhat is measured later goes into a page of its own date, and a document quotes a section from the \
         newest page that has it.\n"
    )
}

/// The name of a page that has none of these studies: the date, or the date and a letter.
fn free_name(studies: &[Study], folder: &Path, date: &str) -> Result<String, Box<dyn Error>> {
    let names = [date.to_owned()].into_iter().chain(('b'..='z').map(|letter| format!("{date}{letter}")));
    for name in names {
        let page = fs::read_to_string(folder.join(&name).with_extension("md")).unwrap_or_default();
        let written = sections(&page);
        let is_free = |study: &Study| written.iter().all(|section| section.anchor != study.name());
        if studies.iter().all(is_free) {
            return Ok(name);
        }
    }
    Err(format!("every page of {date} has one of these studies").into())
}

fn section(
    study: &Study,
    is_short: bool,
    folder: &Path,
    page: &str,
    Occasion { date, machine }: &Occasion,
    run: &mut Run<'_>,
) -> Result<String, Box<dyn Error>> {
    let Study { title, about, .. } = study;
    let mut text = format!("## {title}\n\n{about}\n\nMeasured on {date}: {machine}.\n");
    let (mut tables_so_far, csv_folder) = (0, folder.join(page));
    for command in study.commands {
        let arguments = arguments(command, is_short);
        text.push_str(&format!("\n```console\n$ cargo {}\n```\n", arguments.join(" ")));
        for part in parts(&run(&arguments)?, command.columns) {
            let rows = match part {
                Part::Text(lines) if lines.len() == 1 => {
                    text.push_str(&format!("\n{}\n", lines[0]));
                    continue;
                }
                Part::Text(lines) => {
                    text.push_str(&format!("\n```text\n{}\n```\n", lines.join("\n")));
                    continue;
                }
                Part::Table(rows) => rows.join("\n"),
            };
            tables_so_far += 1;
            let file = match tables_so_far {
                1 => format!("{}.csv", study.name()),
                number => format!("{}-{number}.csv", study.name()),
            };
            let table = tables(&rows).pop().ok_or("a table without rows")?;
            fs::create_dir_all(&csv_folder)?;
            fs::write(csv_folder.join(&file), table.csv()?)?;
            text.push_str(&format!("\n{rows}\n\n[{file}]({page}/{file})\n"));
        }
    }
    Ok(text)
}

/// The arguments of cargo: `bench NAME ARGS` is a benchmark of the tests package, `test PACKAGE ARGS` a test.
fn arguments(command: &Measured, is_short: bool) -> Vec<&'static str> {
    let words = if is_short { command.short } else { command.full };
    let mut words = words.split_whitespace();
    let (kind, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut arguments = match kind {
        "bench" => vec!["bench", "-p", "bench_diff_tests", "--bench", name, "--"],
        kind => vec![kind, "-p", name],
    };
    arguments.extend(words);
    if arguments.last() == Some(&"--") {
        arguments.pop();
    }
    arguments
}
