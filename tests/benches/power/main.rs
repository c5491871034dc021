//! The frequency and the speed of the gate's decisions at known slowdowns, on this machine, with an alpha of 1 %.
//! Prints a markdown table:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench power -- --gates 400
//! cargo bench -p bench_diff_tests --bench power -- --gates 400 --load
//! ```
//!
//! The gates of a cell are spread over fresh processes, since memory and code lie elsewhere in each. `--load`
//! keeps every core busy meanwhile. `--help` has the rest. It is left out of a plain `cargo bench`.

mod cells;
#[path = "../command_line.rs"]
mod command_line;
mod gates;
mod kernels;
#[path = "../load.rs"]
mod load;
#[path = "../share.rs"]
mod share;
#[path = "../study/mod.rs"]
mod study;
mod table;

use std::process::ExitCode;

use crate::cells::{Cell, ZONES};
use crate::command_line::{list, one};
use crate::kernels::KERNELS;
use crate::study::Study;

fn main() -> ExitCode {
    let own = [
        list("kernels", KERNELS.map(|kernel| kernel.name).join(","), "Kernels"),
        list("slowdowns", "0,5,10,20,50", "True slowdowns, in per mille"),
        list("zones", ZONES.map(|(name, ..)| name).join(","), "Zones"),
        one("beta", "0.05", "Probability of a false pass"),
    ];
    let study = Study {
        name: "power",
        own: &own,
        header: table::HEADER,
        cells: Cell::all,
        run: |cell, seed| gates::ask(cell, seed).line(),
        row: table::row,
    };
    study.run()
}
