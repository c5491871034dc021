//! Makes every figure again that README.md and `docs/evidence.md` quote and a command can make: runs the
//! studies, writes the page of each in docs/measurements anew, and says which figures lie outside of the bounds
//! that the documents state.
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench figures -- --list
//! cargo bench -p bench_diff_tests --bench figures -- --only layouts,power
//! cargo bench -p bench_diff_tests --bench figures -- --only power --short
//! ```
//!
//! `--short` shows in seconds that a study works; its pages go to the target directory, since its figures mean
//! nothing. The whole takes hours, and wants a machine that does nothing else. It is left out of a plain
//! `cargo bench`.

mod bounds;
#[path = "../command_line.rs"]
mod command_line;
mod make;
mod numbers;
mod occasion;
mod output;
mod page;
#[path = "../share.rs"]
mod share;
mod study;

use std::env;
use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use clap::{Arg, ArgMatches};

use crate::command_line::flag;
use crate::make::{Occasion, make};
use crate::study::{STUDIES, Study};

fn main() -> ExitCode {
    let matches = clap::Command::new("figures")
        .arg(Arg::new("only").long("only").value_delimiter(',').help("Names of studies; all, unless given"))
        .arg(flag("short", "As little as shows that it works, into the target directory"))
        .arg(flag("list", "List the studies, with about how long they take"))
        // Cargo says it to every bench.
        .arg(flag("bench", "").hide(true))
        .get_matches();
    match figures(&matches) {
        Ok(complaints) if complaints.is_empty() => ExitCode::SUCCESS,
        Ok(complaints) => {
            complaints.iter().for_each(|complaint| eprintln!("{complaint}"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

/// Measures, and says what of it lies outside of the bounds that the documents state.
fn figures(matches: &ArgMatches) -> Result<Vec<String>, Box<dyn Error>> {
    let studies = match matches.get_many::<String>("only") {
        None => STUDIES.to_vec(),
        Some(names) => names.map(|name| named(name)).collect::<Result<_, _>>()?,
    };
    if matches.get_flag("list") {
        for study in &studies {
            println!("{:<18}about {:>3} min  {}", study.name(), study.minutes, study.about);
        }
        return Ok(Vec::new());
    }
    let is_short = matches.get_flag("short");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("docs").join("measurements");
    if is_short {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("measurements");
        make(&studies, is_short, &out, &Occasion::now(), &mut cargo)?;
        return Ok(Vec::new());
    }
    make(&studies, is_short, &folder, &Occasion::now(), &mut cargo)?;
    let mut bounds = bounds::read(&folder.join("bounds.csv"))?;
    bounds.retain(|bound| studies.iter().any(|study| study.name() == bound.study));
    Ok(bounds::complaints(&bounds, &folder))
}

fn named(name: &str) -> Result<Study, String> {
    let study = STUDIES.iter().find(|study| study.name() == name).copied();
    study.ok_or_else(|| {
        let names: Vec<String> = STUDIES.iter().map(Study::name).collect();
        format!("no study is called {name}; there are {}", names.join(", "))
    })
}

/// Runs cargo in the workspace. What it says on its way goes to the terminal.
fn cargo(arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    eprintln!("cargo {}", arguments.join(" "));
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stderr(Stdio::inherit());
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("cargo {} ended with {}", arguments.join(" "), output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
