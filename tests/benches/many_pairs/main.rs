//! The cost of ten thousand pairs before anything is measured: `--list`, of one attribute with ten thousand
//! args and of a hundred attributes with a hundred args each. Prints a markdown table:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench many_pairs -- --runs 21
//! ```
//!
//! It is left out of a plain `cargo bench`, and wants a machine that does nothing else.

#[path = "../command_line.rs"]
mod command_line;

use std::error::Error;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use clap::Arg;

/// The programs, and their args by attribute.
const PROGRAMS: [(&str, &str, &str); 2] = [
    ("one attribute, 10000 args", env!("CARGO_BIN_EXE_ten_thousand_args"), "10000"),
    ("100 attributes, 100 args each", env!("CARGO_BIN_EXE_hundred_attributes"), "100"),
];

const PAIRS: usize = 10_000;

fn main() -> ExitCode {
    let command = clap::Command::new("many_pairs").arg(
        Arg::new("runs")
            .long("runs")
            .value_parser(clap::value_parser!(u32).range(1..))
            .default_value("21")
            .help("Runs of each, whose median is shown"),
    );
    command_line::main(command, |matches| print(*matches.get_one("runs").unwrap_or(&1)))
}

fn print(runs: u32) -> Result<(), Box<dyn Error>> {
    println!("| {PAIRS} pairs | arguments | runs | median time |\n|---|---|---|---|");
    for (name, program, args) in PROGRAMS {
        for arguments in ["--list", "--list --format terse"] {
            let mut times =
                (0..runs).map(|_| time(program, arguments, args)).collect::<Result<Vec<_>, _>>()?;
            times.sort_unstable();
            let median = times[times.len() / 2].as_secs_f64() * 1e3;
            println!("| {name} | `{arguments}` | {runs} | {median:.0} ms |");
        }
    }
    Ok(())
}

/// One run, from its start to its end.
fn time(program: &str, arguments: &str, args: &str) -> Result<Duration, Box<dyn Error>> {
    let mut command = Command::new(program);
    command.args(arguments.split(' ')).env("ARGS", args).stderr(Stdio::null());
    let start = Instant::now();
    let output = command.output()?;
    let time = start.elapsed();
    let listed =
        output.stdout.split(|byte| *byte == b'\n').filter(|line| line.ends_with(b": benchmark")).count();
    if listed != PAIRS {
        return Err(format!("{program} lists {listed} pairs and not {PAIRS}").into());
    }
    Ok(time)
}
