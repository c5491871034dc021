//! The list of the pairs, as the standard test harness and nextest write it.

use std::io::{self, Write};

use bench_diff_system::json::to_string;
use bench_diff_system::text::counted;

use crate::options::Format;

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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::tests::text;

    fn listed(name: &str, line: u32) -> ListedPair<'_> {
        ListedPair { name, file: "benches/sorting.rs", line, column: 1, ignored: None }
    }

    #[test]
    fn the_list_is_what_nextest_reads() {
        let pairs = ["sort::unstable", "find"].map(|name| listed(name, 10));
        let terse = text(|out| list(&pairs, Format::Terse, out));
        assert_eq!(terse, "sort::unstable: benchmark\nfind: benchmark\n");
        let long = text(|out| list(&pairs[..1], Format::Pretty, out));
        assert_eq!(long, "sort::unstable: benchmark\n\n0 tests, 1 benchmark\n");
    }

    /// The nightly test harness writes the same events; it adds blanks and ends the list elsewhere.
    #[test]
    fn a_list_as_json_has_the_events_of_the_standard_harness() {
        let left = ListedPair { ignored: Some("later \"x\""), ..listed("left", 11) };
        let pairs = [listed("find", 10), left];
        let text = text(|out| list(&pairs, Format::Json, out));
        let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let pair = |name: &str, line, ignored: bool, reason: &str| {
            let (file, event) = ("benches/sorting.rs", "discovered");
            json!({"type": "benchmark", "event": event, "name": name, "ignore": ignored, "ignore_message": reason,
               "source_path": file, "start_line": line, "start_col": 1, "end_line": line, "end_col": 1})
        };
        let expected = [
            json!({"type": "suite", "event": "discovery"}),
            pair("find", 10, false, ""),
            pair("left", 11, true, "later \"x\""),
            json!({"type": "suite", "event": "completed", "tests": 0, "benchmarks": 2, "total": 2, "ignored": 1}),
        ];
        assert_eq!(events, expected);
    }
}
