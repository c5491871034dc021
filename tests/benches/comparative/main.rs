//! The original's comparative study: functions whose difference is known, measured in duos and by the traditional method.
//! Prints a markdown table beside the original's figures:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench comparative -- --scales 100us
//! cargo bench -p bench_diff_tests --bench comparative -- --scales 20ms --runs 40
//! ```
//!
//! f1 does more work than f2. The traditional suite measures f1, then f2, then f1 again and so on, each in `exec_count`
//! executions after a warm-up of its own, and a run is one of f1 and the one of f2 after it. `--help` has the flags. It
//! is left out of a plain `cargo bench`.

mod run;
#[path = "../study/mod.rs"]
mod study;
mod table;

use std::process::ExitCode;

use crate::run::{Cell, METHODS};
use crate::study::options::{self, Options};
use crate::study::processes;

fn main() -> ExitCode {
    let own = [
        options::list("differences", "10,20,50,100".to_owned(), "True differences, in per mille"),
        options::list("methods", METHODS.map(|(name, _)| name).join(","), "Methods"),
    ];
    let arguments = std::env::args().filter(|argument| argument != "--bench");
    let matches = options::command("comparative", own).get_matches_from(arguments);
    let study = || {
        let options = Options::new(&matches)?;
        let cells = Cell::all(
            &options,
            &options::words(&matches, "differences"),
            &options::words(&matches, "methods"),
        )?;
        if options.child.is_none() {
            println!(
                "warm-up {} ms, up to {} processes a cell\n",
                options.warmup.as_millis(),
                options.processes
            );
            println!("{}", table::HEADER);
        }
        processes::spread(
            &options,
            &cells,
            |cell, seed| run::run(cell, options.warmup, seed).line(),
            table::row,
        )
    };
    match study() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}
