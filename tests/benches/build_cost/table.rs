//! The table, and what it was made on.

use std::error::Error;
use std::process::Command;
use std::thread;

use crate::library::{Library, REFERENCE};
use crate::user_crate::{COMMAND, UserCrate};

pub(crate) struct Row {
    pub(crate) name: &'static str,
    dependencies: usize,
    pub(crate) seconds: Vec<f64>,
}

impl Row {
    pub(crate) fn new(library: &Library, user: &UserCrate) -> Result<Self, Box<dyn Error>> {
        Ok(Self { name: library.name, dependencies: user.dependencies()?, seconds: Vec::new() })
    }

    fn median(&self) -> f64 {
        let mut seconds = self.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        let middle = seconds.len() / 2;
        if seconds.len().is_multiple_of(2) {
            f64::midpoint(seconds[middle - 1], seconds[middle])
        } else {
            seconds[middle]
        }
    }
}

pub(crate) fn print(rows: &[Row], rounds: u32) {
    let reference = rows.iter().find(|row| row.name == REFERENCE).map(Row::median);
    println!("`cargo {COMMAND}` of a crate with one benchmark, from clean, median of {rounds}\n");
    println!(
        "{}, {}, {} cores\n",
        said_by("date", &["-u", "+%Y-%m-%d"]),
        said_by("rustc", &["--version"]),
        cores()
    );
    println!("| crate | seconds | from - to | beside {REFERENCE} | crates |");
    println!("|---|---|---|---|---|");
    for row in rows {
        let ratio =
            reference.map_or_else(|| "-".to_owned(), |reference| format!("{:.2}x", row.median() / reference));
        let least = row.seconds.iter().copied().fold(f64::INFINITY, f64::min);
        let most = row.seconds.iter().copied().fold(0.0, f64::max);
        let Row { name, dependencies, .. } = row;
        println!("| {name} | {:.1} | {least:.1} - {most:.1} | {ratio} | {dependencies} |", row.median());
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
