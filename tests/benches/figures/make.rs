//! Studies run and written down: a page for each.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use crate::output::{Part, parts};
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

/// The page of the study of this name.
pub(crate) fn page_of(name: &str, folder: &Path) -> PathBuf {
    folder.join(name).with_extension("md")
}

/// Runs these studies and writes the page of each, as soon as it ends, anew into this folder.
pub(crate) fn make(
    studies: &[Study],
    is_short: bool,
    folder: &Path,
    occasion: &Occasion,
    run: &mut Run<'_>,
) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for study in studies {
        fs::write(page_of(&study.name(), folder), page(study, is_short, occasion, run)?)?;
    }
    Ok(())
}

fn page(
    study: &Study,
    is_short: bool,
    Occasion { date, machine }: &Occasion,
    run: &mut Run<'_>,
) -> Result<String, Box<dyn Error>> {
    let Study { title, about, .. } = study;
    let mut text = format!("# {title}\n\n{about}\n\nMeasured on {date}: {machine}.\n");
    for command in study.commands {
        let arguments = arguments(command, is_short);
        text.push_str(&format!("\n```console\n$ cargo {}\n```\n", arguments.join(" ")));
        for part in parts(&run(&arguments)?, command.columns) {
            text.push_str(&match part {
                Part::Table(rows) => format!("\n{}\n", rows.join("\n")),
                Part::Text(lines) if lines.len() == 1 => format!("\n{}\n", lines[0]),
                Part::Text(lines) => format!("\n```text\n{}\n```\n", lines.join("\n")),
            });
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
