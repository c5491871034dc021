//! Lists of pairs.

use serde_json::{Value, json};

use super::*;
use crate::report::Format;
use crate::report::{ListedPair, list};

fn all(plan: &RunPlan) -> Vec<ListedPair<'_>> {
    plan.pairs.iter().map(crate::recorded::listed).collect()
}

#[test]
fn the_list_is_what_nextest_reads() {
    let plan = a_plan();
    let terse = text(|out| list(&all(&plan), Format::Terse, out));
    assert_eq!(
        terse,
        "sort::unstable: benchmark\nsort::slow: benchmark\nfind: benchmark\nbroken: benchmark\n"
    );
    let long = text(|out| list(&all(&plan)[..1], Format::Pretty, out));
    assert_eq!(long, "sort::unstable: benchmark\n\n0 tests, 1 benchmark\n");
}

/// As the standard test harness of a nightly compiler writes it, but for blanks and the place of the end.
#[test]
fn a_list_as_json_has_the_events_of_the_standard_harness() {
    let plan = planned("--list", &[entry("find", 10, equal), entry("left", 11, equal).ignore("later \"x\"")]);
    let text = text(|out| list(&all(&plan), Format::Json, out));
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
