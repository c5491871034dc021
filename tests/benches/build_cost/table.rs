//! The table, and what it was made on.

use std::error::Error;
use std::process::Command;
use std::thread;

use crate::library::{Library, REFERENCE};
use crate::user_crate::{COMMAND, Cost, UserCrate};

pub(crate) struct Row {
    pub(crate) name: &'static str,
    dependencies: usize,
    pub(crate) costs: Vec<Cost>,
}

impl Row {
    pub(crate) fn new(library: &Library, user: &UserCrate) -> Result<Self, Box<dyn Error>> {
        Ok(Self { name: library.name, dependencies: user.dependencies()?, costs: Vec::new() })
    }

    fn seconds(&self) -> Vec<f64> {
        self.costs.iter().map(|cost| cost.seconds).collect()
    }

    fn cpu_seconds(&self) -> Vec<f64> {
        self.costs.iter().map(|cost| cost.cpu_seconds).collect()
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) {
        f64::midpoint(values[middle - 1], values[middle])
    } else {
        values[middle]
    }
}

pub(crate) fn print(rows: &[Row], rounds: u32) {
    let reference = rows.iter().find(|row| row.name == REFERENCE);
    println!("`cargo {COMMAND}` of a crate with one benchmark, from clean; medians of {rounds}\n");
    println!(
        "{}, {}, cores: {}\n",
        said_by("date", &["-u", "+%Y-%m-%d"]),
        said_by("rustc", &["--version"]),
        cores()
    );
    println!(
        "| crate | seconds | from - to | beside {REFERENCE} | CPU seconds | beside {REFERENCE} | crates |"
    );
    println!("|---|---|---|---|---|---|---|");
    for row in rows {
        let beside = |figure: fn(&Row) -> Vec<f64>| {
            let ratio = reference.map(|reference| median(figure(row)) / median(figure(reference)));
            ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}x"))
        };
        let (seconds, cpu_seconds) = (row.seconds(), median(row.cpu_seconds()));
        let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
        let most = seconds.iter().copied().fold(0.0, f64::max);
        let [of_seconds, of_cpu_seconds] = [beside(Row::seconds), beside(Row::cpu_seconds)];
        println!(
            "| {} | {:.1} | {least:.1} - {most:.1} | {of_seconds} | {cpu_seconds:.1} | {of_cpu_seconds} | {} |",
            row.name,
            median(seconds),
            row.dependencies,
        );
    }
}

pub(crate) fn print_runs(rows: &[Row]) {
    println!("\n| crate | runs | seconds of a run, median |");
    println!("|---|---|---|");
    for row in rows {
        let runs: Vec<f64> = row.costs.iter().flat_map(|cost| cost.runs.iter().copied()).collect();
        println!("| {} | {} | {:.2} |", row.name, runs.len(), median(runs.clone()));
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

/// The first line of what a program says.
fn said_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok();
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok());
    text.and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_else(|| format!("{program} unknown"))
}
