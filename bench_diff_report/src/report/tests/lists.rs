//! Lists of pairs.

use serde_json::{Value, json};

use super::*;
use crate::report::Format;
use crate::report::{ListedPair, list};

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

/// As the standard test harness of a nightly compiler writes it, but for blanks and the place of the end.
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
