//! Unchanged source, built several times: how many runs are red in the program as linked and in random
//! layouts, and how many find that one side has more work. Prints a markdown table with a row for each mode
//! and amount of work over all builds, and one by function:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench layouts -- --runs 30
//! cargo bench -p bench_diff_tests --bench layouts -- --runs 5 --numbers 1000,1050 --modes auto --load
//! cargo bench -p bench_diff_tests --bench layouts -- --changed 20 --runs 10
//! ```
//!
//! A build is the program `unchanged`: twenty-four functions of two crates that are one source. Builds differ
//! in functions that nobody calls and in codegen units. With `--changed` the new functions differ instead: in
//! edits that add no work but move code, one for each of this many seeds, and a table has the ratios. `--load`
//! keeps every core busy meanwhile. It is left out of a plain `cargo bench`.

mod build;
mod changes;
#[path = "../command_line.rs"]
mod command_line;
mod count;
#[path = "../load.rs"]
mod load;
#[path = "../median.rs"]
mod median;
mod ratios;
#[path = "../records.rs"]
mod records;
#[path = "../ways.rs"]
mod ways;

use std::error::Error;
use std::path::Path;
use std::process::{self, ExitCode};

use clap::builder::ArgPredicate::IsPresent;
use clap::{Arg, ArgMatches, Command};

use crate::build::Build;
use crate::command_line::{flag, list, number, one, words};
use crate::count::Count;
use crate::load::with_load;
use crate::records::records;
use crate::ways::Way;

fn main() -> ExitCode {
    let command = Command::new("layouts")
        .arg(one("runs", "30", "Runs of each build, mode and amount of work"))
        .arg(one("builds", "10", "Builds, at most 10"))
        .arg(Arg::new("changed").long("changed").help("Variants of the new functions, instead of builds"))
        .arg(
            list("numbers", "1000", "Numbers that the new functions work on; the old ones have 1000")
                .default_value_if("changed", IsPresent, "1000,1050"),
        )
        .arg(
            list("modes", "linked,auto", "Values of --layouts")
                .default_value_if("changed", IsPresent, "auto"),
        )
        .arg(flag("load", "Keep every core busy"));
    command_line::main(command, |matches| with_load(matches.get_flag("load"), || study(matches)))
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let (runs, is_changed) = (number(matches, "runs")?, matches.contains_id("changed"));
    let [numbers, modes] = ["numbers", "modes"].map(|name| words(matches, name));
    let builds: Vec<Build> = if is_changed {
        (1..=number(matches, "changed")?).map(Build::changed).collect()
    } else {
        Way::ALL.into_iter().take(number(matches, "builds")?).map(Build::unchanged).collect()
    };
    let mut counts: Vec<Count> =
        numbers.iter().flat_map(|numbers| modes.iter().map(|mode| Count::new(mode, numbers))).collect();
    for (index, build) in builds.iter().enumerate() {
        for numbers in &numbers {
            let program = build.make(numbers)?;
            for count in counts.iter_mut().filter(|count| count.numbers == *numbers) {
                let mut command = command(&program, count.mode);
                // The first run in layouts compiles, once for each build.
                records(&mut command)?;
                let red = count.add(index, &mut command, runs)?;
                eprintln!(
                    "build {} of {} ({build}), {}: {red} of {runs} runs red",
                    index + 1,
                    builds.len(),
                    count.name()
                );
            }
        }
    }
    count::print("`--layouts`", &counts, is_changed);
    Ok(())
}

/// The command that runs this program. The rates are those of the judge, of what is the same code as well.
fn command(program: &Path, mode: &str) -> process::Command {
    let mut command = process::Command::new(program);
    command.args(["--bench", "--format", "json", "--no-proof", "--layouts", mode]);
    // The program lies in the folder of the profile.
    command.env("CARGO_TARGET_DIR", program.ancestors().nth(2).unwrap_or(program));
    // They are about the package of this study, and the program may be of another one.
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_PKG_NAME");
    command
}
