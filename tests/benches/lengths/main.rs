//! Measures how many calls and seconds a verdict takes, for functions from 5 nanoseconds to 5 seconds. Each
//! function has its own run. Prints a markdown table:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench lengths -- --runs 10
//! cargo bench -p bench_diff_tests --bench lengths -- --runs 3 --percent 5 --only 9,10 --kinds longer
//! ```
//!
//! There are two functions of each length. One is unchanged, and the loop of the other has `--percent` more
//! turns. Both are compared with a baseline (`cargo bench`) and with the commit before (`--against HEAD~1`).
//! Alpha is divided by the twenty-four pairs, or by the forty-eight functions of a revision, and machine code
//! is not compared. Functions of a millisecond or more count all their calls, also those before the first
//! round. The study is left out of a plain `cargo bench`.

#[path = "../command_line.rs"]
mod command_line;
#[path = "../git.rs"]
mod git;
#[path = "../median.rs"]
mod median;
#[path = "../records.rs"]
mod records;
#[path = "../revisions/repository.rs"]
mod repository;
mod source;
#[path = "../user_cargo.rs"]
mod user_cargo;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{self, ExitCode};
use std::time::Instant;

use clap::{ArgMatches, Command};

use crate::command_line::{list, number, one, words};
use crate::median::median;
use crate::records::{place, records};
use crate::repository::Repository;
use crate::source::{TURNS, files};

fn main() -> ExitCode {
    let all: Vec<String> = (0..TURNS.len()).map(|index| index.to_string()).collect();
    let command = Command::new("lengths")
        .arg(one("runs", "10", "Runs of each function"))
        .arg(one("percent", "30", "How much more the longer functions do"))
        .arg(list("only", all.join(","), "Which of the twelve lengths"))
        .arg(list("kinds", "longer,same", "Which of the two functions").value_parser(["longer", "same"]))
        .arg(command_line::dir());
    command_line::main(command, study)
}

/// The two comparisons: what the function is compared with, the prefix of its name, and the flag.
const WAYS: [(&str, &str, &str); 2] = [("baseline", "pair_", ""), ("revision", "", "--against HEAD~1")];

/// The variable with the folder where functions count their calls.
const CALLS: &str = "LENGTHS_CALLS";

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let folder = command_line::folder(matches, &temporary)?;
    let (runs, percent): (usize, u64) = (number(matches, "runs")?, number(matches, "percent")?);
    let repository = Repository::new(&folder)?;
    repository.commit(files(0))?;
    repository.commit(files(percent))?;
    let calls = folder.join("target").join("calls");
    println!(
        "| function | compared with | latency | runs | failed | passed | open | slower by | calls of a side | seconds |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (_, prefix, against) in WAYS {
        // It compiles.
        records(
            repository.bench(&format!("{against} --no-proof --exact {prefix}same_0")).env(CALLS, &calls),
        )?;
    }
    for index in words(matches, "only") {
        for kind in words(matches, "kinds") {
            for (with, prefix, against) in WAYS {
                let flags = format!("{against} --no-proof --exact {prefix}{kind}_{index}");
                let row = Row::of(repository.bench(&flags).env(CALLS, &calls), &calls, runs)?;
                println!("| `{kind}` | {with} | {} |", row.cells());
            }
        }
    }
    Ok(())
}

/// The runs of one function.
#[derive(Default)]
struct Row {
    /// Failed, passed, open.
    outcomes: [usize; 3],
    latencies: Vec<f64>,
    ratios: Vec<f64>,
    calls: Vec<f64>,
    seconds: Vec<f64>,
}

impl Row {
    /// Runs the command `runs` times. Its functions count their calls in the files of the folder `calls`.
    fn of(command: &mut process::Command, calls: &Path, runs: usize) -> Result<Self, Box<dyn Error>> {
        let mut row = Self::default();
        for _ in 0..runs {
            if calls.exists() {
                fs::remove_dir_all(calls)?;
            }
            fs::create_dir_all(calls)?;
            let start = Instant::now();
            for pair in records(command)? {
                row.outcomes[place(&pair)?] += 1;
                row.seconds.push(start.elapsed().as_secs_f64());
                row.ratios.extend(pair["ratio"].as_f64());
                row.latencies.extend(pair["candidate"]["median"].as_f64());
                let counted = fs::read_dir(calls)?.map(|file| Ok(file?.metadata()?.len()));
                let counted: u64 = counted.sum::<Result<u64, std::io::Error>>()?;
                row.calls.push(counted as f64 / 2.0);
            }
        }
        Ok(row)
    }

    fn cells(&self) -> String {
        let [failed, passed, open] = self.outcomes;
        let runs = self.seconds.len();
        let median = |values: &[f64]| median(values).unwrap_or(f64::NAN);
        let slower = 100.0 * (median(&self.ratios) - 1.0);
        let calls = match self.calls.iter().copied().fold(0.0, f64::max) {
            0.0 => "-".to_owned(),
            most => format!("{:.0}, at most {most:.0}", median(&self.calls)),
        };
        let (latency, seconds) = (median(&self.latencies), median(&self.seconds));
        format!(
            "{latency:.1} ns | {runs} | {failed} | {passed} | {open} | {slower:+.1} % | {calls} | {seconds:.1}"
        )
    }
}
