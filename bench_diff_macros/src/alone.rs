//! The restriction to a single attribute. A run may compile a bench for one attribute, with only the code
//! that registers its pairs. The functions of the other attributes are then not called.

use std::env;

/// The variable with the line of that attribute. If a macro makes several attributes on one line, each of
/// them is compiled.
const ALONE: &str = "BENCH_DIFF_ALONE";

/// The line of the attribute, if the bench is compiled for a single one.
pub(crate) fn alone() -> Option<u32> {
    env::var(ALONE).ok()?.parse().ok()
}
