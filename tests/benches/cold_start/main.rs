//! How long a pull request waits for its verdict if its dependencies are downloaded and nothing is built. One
//! of eight functions does 10 % more work. With Criterion, the older revision runs first and is saved as the
//! baseline of the newer one; divan prints a table for each. Prints a markdown table with the seconds of
//! each step:
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
#[path = "../build_cost/library.rs"]
#[expect(dead_code, reason = "its benchmarks have nothing to compare")]
mod library;
mod timed;
#[path = "../user_cargo.rs"]
mod user_cargo;
mod user_crate;

use std::error::Error;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};

use crate::harness::HARNESSES;
use crate::user_crate::UserCrate;

fn main() -> ExitCode {
    let names = HARNESSES.map(|harness| harness.library);
    let harnesses = Arg::new("harnesses").long("harnesses").value_delimiter(',').value_parser(names);
    let harnesses = harnesses.default_value(names.join(","));
    command_line::main(Command::new("cold_start").arg(harnesses).arg(command_line::dir()), study)
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let folder = command_line::folder(matches, &temporary)?;
    let names: Vec<&String> = matches.get_many("harnesses").into_iter().flatten().collect();
    println!("| harness | its build | the crate | the other revision | compiled again | measured | all |");
    println!("|---|---|---|---|---|---|---|");
    for harness in HARNESSES.iter().filter(|harness| names.iter().any(|name| *name == harness.library)) {
        let parts = UserCrate::new(&folder, harness)?.parts()?;
        let seconds = parts.seconds().map(|seconds| format!("{seconds:.1}"));
        println!("| {} | {} | {:.1} |", harness.library, seconds.join(" | "), parts.all());
    }
    Ok(())
}
