//! The original's standalone study: 14 pairs of functions of known medians and spreads, and how often a test
//! is wrong about them. Prints a markdown table:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench standalone -- --scales 100us
//! cargo bench -p bench_diff_tests --bench standalone -- --scales 20ms --runs 40
//! ```
//!
//! Welch's test and the sequential judge see the same duos, at alpha = beta = 5 %: of equal medians both are
//! asked both ways whether there is a difference, and to say so is an error of type I; of different ones they
//! are asked whether there is the difference that there is, and not to find it is an error of type II. The
//! sequential judge stops as soon as it knows, with a zone from 0 to 1 %, after the first 16 duos as its
//! warm-up, or 2 of long ones. `--help` has the flags. It is left out of a plain `cargo bench`.

#[path = "../command_line.rs"]
mod command_line;
#[path = "../load.rs"]
mod load;
#[path = "../original/mod.rs"]
mod original;
mod run;
mod scenario;
#[path = "../study/mod.rs"]
mod study;
mod table;

use std::process::ExitCode;

use crate::command_line::list;
use crate::scenario::{Cell, SCENARIOS, Scenario};
use crate::study::Study;

fn main() -> ExitCode {
    let all = SCENARIOS.map(Scenario::name).join(",");
    let [scales, warmup] = original::flags();
    let own = [scales, warmup, list("scenarios", all, "Pairs of functions")];
    let study = Study {
        name: "standalone",
        own: &own,
        header: table::HEADER,
        cells: Cell::all,
        run: |cell, seed| run::run(cell, seed).line(),
        row: table::row,
    };
    study.run()
}
