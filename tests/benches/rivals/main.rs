//! Other harnesses judge the same two revisions, each in its own way. Of eight functions the newer one has two
//! with 5 % more input and two with 5 % less; the others have not changed, but what else is in the program has.
//! Prints markdown tables:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench rivals -- --runs 10
//! cargo bench -p bench_diff_tests --bench rivals -- --runs 1 --rivals tango,criterion --short
//! ```
//!
//! Each harness has a small crate in a temporary folder, or in the one of `--dir`, and cargo builds it with what
//! it needs from crates.io. Builds are not timed. `--short` shows that every output is understood, with as few
//! samples as each harness takes: its figures mean nothing. It is left out of a plain `cargo bench`, and wants a
//! machine that does nothing else.

#[path = "../command_line.rs"]
mod command_line;
#[path = "../median.rs"]
mod median;
mod program;
mod read;
mod rival;
mod table;
#[path = "../user_cargo.rs"]
mod user_cargo;

use std::error::Error;
use std::process::ExitCode;

use clap::{ArgMatches, Command};

use crate::command_line::{flag, list, number, one, words};
use crate::program::{NEWER, Programs};
use crate::rival::{RIVALS, Rival};
use crate::table::Row;

fn main() -> ExitCode {
    let all = RIVALS.map(|rival| rival.name).join(",");
    let command = Command::new("rivals")
        .arg(one("runs", "20", "Runs of each harness"))
        .arg(list("rivals", all, "Which harnesses"))
        .arg(command_line::dir())
        .arg(flag("short", "As few samples as there can be"));
    command_line::main(command, study)
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let runs = number(matches, "runs")?;
    let rivals: Vec<&Rival> =
        words(matches, "rivals").into_iter().map(Rival::named).collect::<Result<_, _>>()?;
    let temporary = tempfile::tempdir()?;
    let folder = command_line::folder(matches, &temporary)?;
    let mut rows = Vec::new();
    for rival in rivals {
        rows.push((rival, Row::default(), Programs::new(&folder, rival, matches.get_flag("short"))?));
    }
    // In turns, so that all of them have the same moods of the machine.
    for run in 0..runs {
        for (rival, row, programs) in &mut rows {
            let revision = NEWER[run % NEWER.len()];
            let answers =
                (rival.ask)(programs, revision).map_err(|error| format!("{}: {error}", rival.name))?;
            let seconds = programs.take_seconds();
            eprintln!("run {} of {runs}: {}, {seconds:.1} s", run + 1, rival.name);
            row.add(revision, &answers, seconds);
        }
    }
    table::print(rows.iter().map(|(rival, row, _)| (*rival, row)), runs);
    Ok(())
}
