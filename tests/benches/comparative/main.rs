//! The original's comparative study: functions whose difference is known, measured in duos and by the
//! traditional method. Prints a markdown table beside the original's figures:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench comparative -- --scales 100us
//! cargo bench -p bench_diff_tests --bench comparative -- --scales 20ms --runs 40
//! ```
//!
//! f1 does more work than f2. The traditional suite measures f1, then f2, then f1 again and so on, each in
//! `exec_count` executions after a warm-up of its own, and a run is one of f1 and the one of f2 after it.
//! `--help` has the flags. It is left out of a plain `cargo bench`.

mod run;
#[path = "../study/mod.rs"]
mod study;
mod table;

use std::process::ExitCode;

use crate::run::{Cell, METHODS};
use crate::study::options;
use crate::study::program::Study;

fn main() -> ExitCode {
    let own = [
        options::list("differences", "10,20,50,100".to_owned(), "True differences, in per mille"),
        options::list("methods", METHODS.map(|(name, _)| name).join(","), "Methods"),
    ];
    let study = Study {
        name: "comparative",
        own: &own,
        header: table::HEADER,
        cells: |options, matches| {
            let words = |name| options::words(matches, name);
            Cell::all(options, &words("differences"), &words("methods"))
        },
        run: |cell, warmup, seed| run::run(cell, warmup, seed).line(),
        row: table::row,
    };
    study.run()
}
