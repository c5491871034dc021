//! Fresh processes: memory and code lie elsewhere in each.

use std::error::Error;
use std::io::{self, Write};
use std::process::Command;
use std::time::Instant;

use bench_diff_core::Seed;

use super::options::Options;

/// Runs every cell, a child of this process does its share of one, or the first process prints a row as each
/// ends.
///
/// `run` measures once and says in a line what came out; `row` makes a row of the lines of a cell and the
/// seconds that it took.
pub(crate) fn spread<C>(
    options: &Options,
    cells: &[C],
    run: impl Fn(&C, Seed) -> String,
    row: impl Fn(&C, &[String], f64) -> Option<String>,
) -> Result<(), Box<dyn Error>> {
    if let Some((cell, index)) = options.child {
        let seed = |turn| options.seed.for_pair(&format!("{cell} {index} {turn}"));
        (0..share(options, index)).for_each(|turn| println!("{}", run(&cells[cell], seed(turn))));
        return Ok(());
    }
    for (number, cell) in cells.iter().enumerate() {
        let start = Instant::now();
        let mut lines = Vec::new();
        for index in (0..options.processes).filter(|index| share(options, *index) > 0) {
            let mut child = Command::new(std::env::current_exe()?);
            child.args(std::env::args().skip(1)).args(["--child", &format!("{number},{index}")]);
            let output = child.output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            }
            lines.extend(String::from_utf8(output.stdout)?.lines().map(str::to_owned));
        }
        println!(
            "{}",
            row(cell, &lines, start.elapsed().as_secs_f64()).ok_or("a process speaks another language")?
        );
        // A study that is ended early loses no row.
        io::stdout().flush()?;
    }
    Ok(())
}

/// The runs of the process with this index.
fn share(options: &Options, index: u64) -> u64 {
    options.runs / options.processes + u64::from(index < options.runs % options.processes)
}
