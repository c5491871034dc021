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

#[path = "../command_line.rs"]
mod command_line;
#[path = "../load.rs"]
mod load;
#[path = "../original/mod.rs"]
mod original;
mod run;
#[path = "../study/mod.rs"]
mod study;
mod table;

use std::process::ExitCode;

use crate::command_line::list;
use crate::run::{Cell, METHODS};
use crate::study::Study;

fn main() -> ExitCode {
    let [scales, warmup] = original::flags();
    let own = [
        scales,
        warmup,
        list("differences", "10,20,50,100", "True differences, in per mille"),
        list("methods", METHODS.map(|(name, _)| name).join(","), "Methods"),
    ];
    let study = Study {
        name: "comparative",
        own: &own,
        header: table::HEADER,
        cells: Cell::all,
        run: |cell, seed| run::run(cell, seed).line(),
        row: table::row,
    };
    study.run()
}
