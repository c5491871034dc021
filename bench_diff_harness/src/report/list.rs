//! The list of the pairs, as the standard test harness and nextest write it.

use std::io::{self, BufWriter, Write};

use crate::plan::PairPlan;
use crate::record::json;
use crate::register::Location;
use crate::settings::Format;
use crate::system::text::counted;

/// A pair of a list, one JSON object a line.
#[derive(miniserde::Serialize)]
struct Listed<'a> {
    event: &'static str,
    name: &'a str,
    file: &'a str,
    line: u32,
    ignored: bool,
}

/// Lists the pairs, and counts them unless a program reads the list. A form that is none of a list is that of
/// people.
pub(crate) fn list(pairs: &[PairPlan], format: Format, out: &mut dyn Write) -> io::Result<()> {
    // Nextest asks for a list before every run, and standard output is flushed with every line.
    let mut out = BufWriter::new(out);
    for pair in pairs {
        match format {
            Format::Json => {
                let Location { file, line, .. } = pair.location;
                let ignored = pair.ignored.is_some();
                let listed = Listed { event: "listed", name: &pair.name, file, line, ignored };
                writeln!(out, "{}", json::to_string(&listed))?;
            }
            _ => writeln!(out, "{}: benchmark", pair.name)?,
        }
    }
    if !matches!(format, Format::Terse | Format::Json) {
        writeln!(out, "\n0 tests, {}", counted(pairs.len(), "benchmark"))?;
    }
    out.flush()
}
