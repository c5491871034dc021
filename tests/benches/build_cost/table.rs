//! The table of builds.

use std::error::Error;
use std::path::Path;

use crate::library::{Library, REFERENCE};
use crate::user_crate::{COMMAND, Cost, UserCrate};

pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) user: UserCrate,
    dependencies: usize,
    pub(crate) costs: Vec<Cost>,
}

impl Row {
    /// One without a build, of a crate below this folder.
    pub(crate) fn new(parent: &Path, library: &Library) -> Result<Self, Box<dyn Error>> {
        let user = UserCrate::new(parent, library, library.bench)?;
        Ok(Self { name: library.name, dependencies: user.dependencies()?, user, costs: Vec::new() })
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
