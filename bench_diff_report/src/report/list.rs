//! The list of the pairs, as the standard test harness and nextest write it.

use std::io::{self, Write};

use super::options::Format;
use bench_diff_system::json::to_string;
use bench_diff_system::text::counted;

/// A pair in a list.
#[derive(Clone, Copy, Debug)]
pub struct ListedPair<'a> {
    /// The name of the pair.
    pub name: &'a str,
    /// The source file, relative to the root of the workspace.
    pub file: &'a str,
    /// The line of its attribute, from 1.
    pub line: u32,
    /// The column of its attribute, from 1.
    pub column: u32,
    /// The reason if it is ignored, which may be empty.
    pub ignored: Option<&'a str>,
}

/// Lists the pairs, with their number unless a program reads the list.
pub fn list(pairs: &[ListedPair<'_>], format: Format, out: &mut dyn Write) -> io::Result<()> {
    // One write, since standard output would flush every line.
    let text = if format == Format::Json { discovered(pairs) } else { lines(pairs, format) };
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn lines(pairs: &[ListedPair<'_>], format: Format) -> String {
    let mut text: String = pairs.iter().map(|pair| format!("{}: benchmark\n", pair.name)).collect();
    if format != Format::Terse {
        text += &format!("\n0 tests, {}\n", counted(pairs.len(), "benchmark"));
    }
    text
}

/// The list as JSON, one object per line.
fn discovered(pairs: &[ListedPair<'_>]) -> String {
    let mut text = "{\"type\":\"suite\",\"event\":\"discovery\"}\n".to_owned();
    for pair in pairs {
        let ListedPair { name, file, line, column, ignored } = *pair;
        let [name, file, reason] = [name, file, ignored.unwrap_or_default()].map(to_string);
        text += &format!(
            "{{\"type\":\"benchmark\",\"event\":\"discovered\",\"name\":{name},\"ignore\":{ignored},\
             \"ignore_message\":{reason},\"source_path\":{file},\"start_line\":{line},\"start_col\":{column},\
             \"end_line\":{line},\"end_col\":{column}}}\n",
            ignored = ignored.is_some()
        );
    }
    let (count, ignored) = (pairs.len(), pairs.iter().filter(|pair| pair.ignored.is_some()).count());
    text + &format!(
        "{{\"type\":\"suite\",\"event\":\"completed\",\"tests\":0,\"benchmarks\":{count},\"total\":{count},\
         \"ignored\":{ignored}}}\n"
    )
}
