//! The list of the pairs, as the standard test harness and nextest write it.

use std::io::{self, Write};

use crate::plan::PairPlan;

/// Lists the pairs, and counts them unless the list is terse.
pub(crate) fn list(pairs: &[PairPlan], terse: bool, out: &mut dyn Write) -> io::Result<()> {
    for pair in pairs {
        writeln!(out, "{}: benchmark", pair.name)?;
    }
    if !terse {
        let plural = if pairs.len() == 1 { "" } else { "s" };
        writeln!(out, "\n0 tests, {} benchmark{plural}", pairs.len())?;
    }
    out.flush()
}
