//! Fresh processes: memory and code lie elsewhere in each.

use std::error::Error;
use std::io::{self, Write};
use std::process::Command;
use std::time::Instant;

use bench_diff_core::Seed;

use super::Options;

/// Has fresh processes measure every cell, and prints a row as each ends.
pub(super) fn tabulate<C>(
    options: &Options,
    cells: &[C],
    row: impl Fn(&C, &[String], f64) -> Option<String>,
) -> Result<(), Box<dyn Error>> {
    for (number, cell) in cells.iter().enumerate() {
        let start = Instant::now();
        let mut lines = Vec::new();
        for index in (0..options.processes).filter(|index| runs_of(options, *index) > 0) {
            let mut child = Command::new(std::env::current_exe()?);
            child.args(std::env::args().skip(1)).args(["--child", &format!("{number},{index}")]);
            let output = child.output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            }
            lines.extend(String::from_utf8(output.stdout)?.lines().map(str::to_owned));
        }
        let row = row(cell, &lines, start.elapsed().as_secs_f64());
        println!("{}", row.ok_or("a process speaks another language")?);
        // A study that is ended early loses no row.
        io::stdout().flush()?;
    }
    Ok(())
}

/// The share of the process of this index in the runs of a cell, a line each.
pub(super) fn share(options: &Options, cell: usize, index: u64, run: impl Fn(Seed) -> String) {
    let seed = |turn| options.seed.for_pair(&format!("{cell} {index} {turn}"));
    (0..runs_of(options, index)).for_each(|turn| println!("{}", run(seed(turn))));
}

/// The number of its runs.
fn runs_of(options: &Options, index: u64) -> u64 {
    options.runs / options.processes + u64::from(index < options.runs % options.processes)
}
