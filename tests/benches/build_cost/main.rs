//! The cost of building a benchmark: `cargo bench --no-run` of a small crate from clean, with this harness
//! and with others. Prints a markdown table:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench build_cost
//! cargo bench -p bench_diff_tests --bench build_cost -- --crates bench_diff,divan --rounds 3
//! cargo bench -p bench_diff_tests --bench build_cost -- --cold-start
//! ```
//!
//! Every round builds every crate once, in a target directory of its own; what has to be fetched is fetched
//! before. With `--cold-start`, the table has instead the seconds that a pull request waits for its verdict
//! where nothing is built: one of eight functions does 10 % more work. With Criterion, the older revision runs
//! first and is saved as the baseline of the newer one; divan prints a table for each. It is left out of a
//! plain `cargo bench`, and wants a machine that does nothing else.

mod cold_start;
#[path = "../command_line.rs"]
mod command_line;
#[path = "../git.rs"]
mod git;
mod library;
mod table;
mod timed;
#[path = "../user_cargo.rs"]
mod user_cargo;
mod user_crate;

use std::error::Error;
use std::process::ExitCode;

use clap::{ArgMatches, Command};

use crate::command_line::{flag, list, number, one, words};
use crate::library::{LIBRARIES, Library};
use crate::table::Row;

fn main() -> ExitCode {
    let names = LIBRARIES.map(|library| library.name);
    let command = Command::new("build_cost")
        .arg(list("crates", names.join(","), "What to build").value_parser(names))
        .arg(one("rounds", "5", "Builds of each, whose median is shown"))
        .arg(flag("cold-start", "Compare two revisions where nothing is built, instead"));
    command_line::main(command, study)
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let names = words(matches, "crates");
    let is_meant = |library: &&Library| names.contains(&library.name);
    let libraries: Vec<&'static Library> = LIBRARIES.iter().filter(is_meant).collect();
    let folder = tempfile::tempdir()?;
    if matches.get_flag("cold-start") {
        return cold_start::study(folder.path(), &libraries);
    }
    let rounds = number::<u32>(matches, "rounds")?.max(1);
    let mut rows: Vec<Row> =
        libraries.iter().map(|library| Row::new(folder.path(), library)).collect::<Result<_, _>>()?;
    for round in 1..=rounds {
        for row in &mut rows {
            let cost = row.user.build()?;
            eprintln!("round {round} of {rounds}: {} in {:.1} s", row.name, cost.seconds);
            row.costs.push(cost);
        }
    }
    table::print(&rows, rounds);
    Ok(())
}
