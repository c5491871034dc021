//! The list of the pairs, as the standard test harness and nextest write it.

use std::io::{self, BufWriter, Write};

use crate::plan::PairPlan;
use crate::settings::Format;
use crate::system::text::counted;

/// Lists the pairs, and counts them unless a program reads the list.
pub(crate) fn list(pairs: &[PairPlan], format: Format, out: &mut dyn Write) -> io::Result<()> {
    // Nextest asks for a list before every run, and standard output is flushed with every line.
    let mut out = BufWriter::new(out);
    for pair in pairs {
        writeln!(out, "{}: benchmark", pair.name)?;
    }
    if format != Format::Terse {
        writeln!(out, "\n0 tests, {}", counted(pairs.len(), "benchmark"))?;
    }
    out.flush()
}
