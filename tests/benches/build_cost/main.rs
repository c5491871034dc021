//! The cost of building a benchmark: `cargo bench --no-run` of a small crate from clean, with this harness
//! and with others. Prints a markdown table:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench build_cost
//! cargo bench -p bench_diff_tests --bench build_cost -- --crates bench_diff,divan --rounds 3
//! cargo bench -p bench_diff_tests --bench build_cost -- --crates bench_diff --runs 20
//! ```
//!
//! Every round builds every crate once, in a target directory of its own; what has to be fetched is fetched
//! before. `--help` has the flags. It is left out of a plain `cargo bench`, and
//! wants a machine that does nothing else.

mod library;
mod table;
#[path = "../user_cargo.rs"]
mod user_cargo;
mod user_crate;

use std::error::Error;
use std::process::ExitCode;

use clap::{Arg, Command};

use crate::library::{LIBRARIES, Library};
use crate::table::Row;
use crate::user_crate::UserCrate;

fn main() -> ExitCode {
    match build_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

fn build_all() -> Result<(), Box<dyn Error>> {
    let all = LIBRARIES.map(|library| library.name).join(",");
    let command = Command::new("build_cost")
        .arg(Arg::new("crates").long("crates").value_delimiter(',').default_value(all).help("What to build"))
        .arg(
            Arg::new("rounds")
                .long("rounds")
                .value_parser(clap::value_parser!(u32).range(1..))
                .default_value("5")
                .help("Builds of each, whose median is shown"),
        )
        .arg(
            Arg::new("runs")
                .long("runs")
                .value_parser(clap::value_parser!(u32))
                .default_value("0")
                .help("Runs after each build, whose median is shown"),
        );
    let matches = command.get_matches_from(std::env::args().filter(|argument| argument != "--bench"));
    let names = matches.get_many::<String>("crates").into_iter().flatten();
    let libraries: Vec<&Library> = names.map(|name| Library::named(name)).collect::<Result<_, _>>()?;
    let number = |name: &str| matches.get_one::<u32>(name).copied().unwrap_or_default();
    let (rounds, runs) = (number("rounds"), number("runs"));

    let folder = tempfile::tempdir()?;
    let crates: Vec<UserCrate> =
        libraries.iter().map(|library| UserCrate::new(folder.path(), library)).collect::<Result<_, _>>()?;
    let mut rows: Vec<Row> = libraries
        .iter()
        .zip(&crates)
        .map(|(library, user)| Row::new(library, user))
        .collect::<Result<_, _>>()?;
    for round in 1..=rounds {
        for (row, user) in rows.iter_mut().zip(&crates) {
            let cost = user.build(runs)?;
            eprintln!("round {round} of {rounds}: {} in {:.1} s", row.name, cost.seconds);
            row.costs.push(cost);
        }
    }
    table::print(&rows, rounds);
    if runs > 0 {
        table::print_runs(&rows);
    }
    Ok(())
}
