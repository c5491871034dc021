//! The cells of the study.

use clap::ArgMatches;

use crate::command_line::{number, words};
use crate::kernels::Kernel;
use crate::study::Cells;

/// The zones that are studied: their lower and upper ends as shares.
pub(crate) const ZONES: [(&str, f64, f64); 2] = [("0-1%", 0.0, 0.01), ("1-3%", 0.01, 0.03)];

/// A cell of the study: the question to many gates.
pub(crate) struct Cell {
    pub(crate) kernel: Kernel,
    /// The true slowdown.
    pub(crate) per_mille: u64,
    /// The name of the zone, and its ends.
    pub(crate) zone: (&'static str, f64, f64),
    pub(crate) beta: f64,
}

impl Cell {
    /// The cells that the flags name. Slowdowns that a kernel cannot have are left out.
    pub(crate) fn all(matches: &ArgMatches) -> Cells<Self> {
        let beta = number(matches, "beta")?;
        let mut cells = Vec::new();
        for name in words(matches, "kernels") {
            let kernel = Kernel::named(name).ok_or_else(|| format!("no kernel is called {name}"))?;
            for slowdown in words(matches, "slowdowns") {
                let per_mille = slowdown.parse()?;
                for name in words(matches, "zones") {
                    let zone = ZONES.into_iter().find(|(zone, ..)| *zone == name);
                    let zone = zone.ok_or_else(|| format!("no zone is called {name}"))?;
                    cells.push(Self { kernel, per_mille, zone, beta });
                }
            }
        }
        cells.retain(|cell| cell.kernel.pair(cell.per_mille).is_some());
        Ok(cells)
    }
}
