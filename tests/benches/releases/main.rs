//! Consecutive releases of published crates: how many of their functions are the same machine code in both, and
//! where the others part. Prints markdown tables:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench releases
//! cargo bench -p bench_diff_tests --bench releases -- --crates itoa,hex --dir kept
//! ```
//!
//! A crate in a temporary folder, or in the one of `--dir`, depends on both releases, and has a bench in which each
//! function is written once for both. Cargo fetches them from crates.io. Runs are as short as they can be: their
//! times say nothing, the proof is the same on every machine. It is left out of a plain `cargo bench`.

#[path = "../proven.rs"]
mod proven;
mod releases;
#[path = "../user_cargo.rs"]
mod user_cargo;
mod user_crate;

use std::error::Error;
use std::path::Path;
use std::process::{self, ExitCode};

use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::proven::Proven;
use crate::releases::{RELEASES, Releases};

fn main() -> ExitCode {
    let all: Vec<&str> = RELEASES.iter().map(|releases| releases.name).collect();
    let matches = Command::new("releases")
        .arg(
            Arg::new("crates")
                .long("crates")
                .value_delimiter(',')
                .default_value(all.join(","))
                .help("Which crates"),
        )
        .arg(
            Arg::new("dir")
                .long("dir")
                .help("Folder of the crate, kept with what is built; a temporary one else"),
        )
        // Cargo says it to every bench.
        .arg(Arg::new("bench").long("bench").action(ArgAction::SetTrue).hide(true))
        .get_matches();
    match study(&matches) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let folder = matches.get_one::<String>("dir").map_or(temporary.path(), Path::new);
    let folder = std::path::absolute(folder)?;
    let names: Vec<&String> = matches.get_many("crates").into_iter().flatten().collect();
    let all: Vec<Releases> =
        RELEASES.iter().filter(|releases| names.iter().any(|name| *name == releases.name)).copied().collect();
    let mut rows = proven::Rows::new("crate");
    for (Releases { name, old, new, .. }, program) in all.iter().zip(user_crate::build(&folder, &all)?) {
        let mut command = process::Command::new(program);
        rows.add(
            &format!("{name} {old} -> {new}"),
            Proven::of(command.env("CARGO_TARGET_DIR", folder.join("runs")))?,
        );
    }
    println!("{rows}");
    Ok(())
}
