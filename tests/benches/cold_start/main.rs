//! The way of a pull request to its verdict, from an empty target directory: what is fetched is there, and
//! nothing is built. One of eight functions does 10 % more work. Criterion runs in both revisions and saves
//! the older run, and divan prints two tables. Prints a markdown table of the seconds that each part takes:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench cold_start
//! cargo bench -p bench_diff_tests --bench cold_start -- --harnesses bench_diff,divan
//! ```
//!
//! The crates are in a temporary folder, or in the one of `--dir`. It is left out of a plain `cargo bench`,
//! and wants a machine that does nothing else.

#[path = "../command_line.rs"]
mod command_line;
#[path = "../git.rs"]
mod git;
mod harness;
mod timed;
#[path = "../user_cargo.rs"]
mod user_cargo;
mod user_crate;

use std::error::Error;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};

use crate::harness::{HARNESSES, Harness};
use crate::user_crate::UserCrate;

fn main() -> ExitCode {
    let all = HARNESSES.map(|harness| harness.name).join(",");
    let harnesses = Arg::new("harnesses").long("harnesses").value_delimiter(',').default_value(all);
    command_line::main(Command::new("cold_start").arg(harnesses).arg(command_line::dir()), study)
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let folder = command_line::folder(matches, &temporary)?;
    let names = matches.get_many::<String>("harnesses").into_iter().flatten();
    let harnesses: Vec<&Harness> = names.map(|name| Harness::named(name)).collect::<Result<_, _>>()?;
    println!("| harness | its build | the crate | the other revision | compiled again | measured | all |");
    println!("|---|---|---|---|---|---|---|");
    for harness in harnesses {
        let parts = UserCrate::new(&folder, harness)?.parts(harness)?;
        let seconds = parts.seconds().map(|seconds| format!("{seconds:.1}"));
        println!("| {} | {} | {:.1} |", harness.name, seconds.join(" | "), parts.all());
    }
    Ok(())
}
