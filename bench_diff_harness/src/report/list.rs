//! The list of the pairs, as the standard test harness and nextest write it.

use std::io::{self, Write};

use crate::plan::PairPlan;
use crate::settings::Format;
use crate::system::text::counted;

/// Lists the pairs, and counts them unless a program reads the list.
pub(crate) fn list(pairs: &[PairPlan], format: Format, out: &mut dyn Write) -> io::Result<()> {
    // In one piece, since standard output is flushed with every line.
    let mut text = String::new();
    for pair in pairs {
        text += &format!("{}: benchmark\n", pair.name);
    }
    if format != Format::Terse {
        text += &format!("\n0 tests, {}\n", counted(pairs.len(), "benchmark"));
    }
    out.write_all(text.as_bytes())?;
    out.flush()
}
