//! Consecutive releases of published crates: how many of their functions are the same machine code in both, and
//! of the others, the verdict and where they part. Prints markdown tables:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench releases
//! cargo bench -p bench_diff_tests --bench releases -- --crates itoa,hex --steps 1 --dir kept
//! ```
//!
//! A crate in a temporary folder, or in the one of `--dir`, depends on both releases, and has a bench in which each
//! function is written once for both. Cargo fetches them from crates.io. It is left out of a plain `cargo bench`.

#[path = "../command_line.rs"]
mod command_line;
#[path = "../ends.rs"]
mod ends;
mod releases;
#[path = "../user_cargo.rs"]
mod user_cargo;
mod user_crate;

use std::error::Error;
use std::process::{self, ExitCode};

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::ends::{Ends, Rows};
use crate::releases::{CRATES, Crate, Releases};

fn main() -> ExitCode {
    let all: Vec<&str> = CRATES.iter().map(|of| of.name).collect();
    let command = Command::new("releases")
        .arg(
            Arg::new("crates")
                .long("crates")
                .value_delimiter(',')
                .default_value(all.join(","))
                .help("Which crates"),
        )
        .arg(
            Arg::new("steps")
                .long("steps")
                .value_parser(value_parser!(usize))
                .default_value("3")
                .help("Steps from one release to the next one, back from the newest"),
        )
        .arg(command_line::dir());
    command_line::main(command, study)
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let folder = command_line::folder(matches, &temporary)?;
    let names: Vec<&String> = matches.get_many("crates").into_iter().flatten().collect();
    let crates: Vec<&Crate> = CRATES.iter().filter(|of| names.iter().any(|name| *name == of.name)).collect();
    let mut rows = Rows::new("crate");
    // Of one program, cargo takes two releases of a crate and no third one.
    for step in (0..*matches.get_one("steps").unwrap_or(&1)).rev() {
        let all: Vec<Releases> = crates.iter().filter_map(|of| of.before(step)).collect();
        let folder = folder.join(step.to_string());
        for (Releases { name, old, new, .. }, program) in all.iter().zip(user_crate::build(&folder, &all)?) {
            let mut command = process::Command::new(program);
            command.args(["--bench", "--format", "json"]).env("CARGO_TARGET_DIR", folder.join("runs"));
            rows.add(&format!("{name} {old} -> {new}"), Ends::of(&mut command)?);
        }
    }
    println!("{rows}");
    Ok(())
}
