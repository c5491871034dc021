//! List, test and measure, as cargo and nextest ask for them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::fixture::{BROKEN, VERDICTS, run};

const ALL: &str = "equal: benchmark\nfive_times: benchmark\nerratic: benchmark\nnested::reported: benchmark\n\
                   nested::left_out: benchmark\nnested::one_box: benchmark\n";

#[test]
fn the_list_is_in_the_order_of_the_source() {
    let list = run(VERDICTS, "--list").ends_with(0);
    assert_eq!(list.stdout, format!("{ALL}\n0 tests, 6 benchmarks\n"));
    assert_eq!(list.stderr, "");
    assert_eq!(run(VERDICTS, "--list --bench").ends_with(0).stdout, list.stdout);
}

#[test]
fn nextest_reads_two_lists() {
    assert_eq!(run(VERDICTS, "--list --format terse").ends_with(0).stdout, ALL);
    let ignored = run(VERDICTS, "--list --format terse --ignored").ends_with(0);
    assert_eq!(ignored.stdout, "nested::left_out: benchmark\n");
}

#[test]
fn editors_get_json_as_from_the_standard_harness() {
    let events = |arguments: &str| -> Vec<String> {
        let ran = run(VERDICTS, arguments).ends_with(0);
        let events = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let word = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
        let events = events.map(|event| ["type", "event", "name"].map(|key| word(&event, key)).join(" "));
        events.map(|event| event.trim_end().to_owned()).collect()
    };
    // As an editor starts it.
    assert_eq!(
        events("--format=json -Z unstable-options --show-output nested::"),
        [
            "suite started",
            "test started nested::reported",
            "test ok nested::reported",
            "test started nested::left_out",
            "test ignored nested::left_out",
            "test started nested::one_box",
            "test ok nested::one_box",
            "suite ok"
        ]
    );
}

#[test]
fn nextest_runs_one_pair_by_its_name() {
    run(VERDICTS, "--exact nested::one_box --nocapture --bench")
        .ends_with(0)
        .says("\n1 passed, 5 filtered out\n");
    run(VERDICTS, "--exact nested::left_out --nocapture --ignored --bench").ends_with(101).says("1 failed");
}

#[test]
fn without_bench_each_function_runs_once() {
    let ran = run(VERDICTS, "").ends_with(0);
    let (lines, end) = ran.stdout.rsplit_once("; finished in").unwrap();
    assert_eq!(
        lines,
        "
running 6 tests
test equal ... ok
test five_times ... ok
test erratic ... ok
test nested::reported ... ok
test nested::left_out ... ignored
test nested::one_box ... ok

check: 5 equal, 0 none, 0 off

test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out"
    );
    assert!(end.trim_end().ends_with('s'), "{end}");
    run(VERDICTS, "-q").ends_with(0).says("\n....i.\n");
    run(VERDICTS, "one --test --bench")
        .ends_with(0)
        .says("1 passed; 0 failed; 0 ignored; 0 measured; 5 filtered out");
}

#[test]
fn a_panic_fails_a_test() {
    let ran = run(BROKEN, "").ends_with(101);
    let ran = ran.says("test panics ... FAILED").says("test works_too ... ok").says("---- panics ----");
    let ran = ran.says("broken.rs:14:5: out of order").says("failures:\n    panics\n    baseline_panics\n");
    ran.says("test result: FAILED. 1 passed; 2 failed; 2 ignored; 0 measured; 0 filtered out");
}

/// The manual repeats the defaults, and the README that of the gate.
#[test]
fn the_documents_have_the_defaults_of_the_help() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = fs::read_to_string(workspace.join("README.md")).unwrap();
    let manual = fs::read_to_string(workspace.join("bench_diff_macros/src/lib.rs")).unwrap();
    for (option, default) in [
        ("`max_slowdown = ", "| `\"2%\"` |"),
        ("`judge = ", "| `\"sequential\"` |"),
        ("`max_time = ", "| `\"2s\"` |"),
        ("`slots = ", "| 2000 |"),
        ("`clock = ", "| `\"auto\"` |"),
        ("`warmup = ", "| `\"2ms\"`, `welch` `\"3s\"` |"),
    ] {
        let row = manual.lines().find(|line| line.contains("| ") && line.contains(option));
        assert!(row.is_some_and(|row| row.ends_with(default)), "{option}: {row:?}");
    }
    assert!(readme.contains("The default limit is `max_slowdown = \"2%\"`"));
    assert!(readme.contains("1 % of runs (`alpha`)") && readme.contains("5 % (`beta`)"));
    assert!(manual.contains("may fail | 0.01 |") && manual.contains("may pass | 0.05 |"));
}

#[test]
fn fail_fast_leaves_the_rest_alone() {
    let ran = run(BROKEN, "--fail-fast --bench").ends_with(3);
    ran.says("\n1 error, 2 ignored\n").says("stopped by --fail-fast, 2 not run");
}

#[test]
fn fail_fast_holds_for_tests_too() {
    let ran = run(BROKEN, "--fail-fast").ends_with(101).says("test panics ... FAILED");
    let ran = ran.says("stopped by --fail-fast, 4 not run").says("FAILED. 0 passed; 1 failed; 0 ignored");
    assert!(!ran.stdout.contains("works_too"), "{}", ran.stdout);
}

/// The names of the tests that ran, in their order.
fn ran(arguments: &str) -> Vec<String> {
    let ran = run(VERDICTS, arguments).ends_with(0);
    let names = ran.stdout.lines().filter_map(|line| line.strip_prefix("test ")?.split(" ... ").next());
    names.filter(|name| !name.starts_with("result: ")).map(str::to_owned).collect()
}

#[test]
fn what_changes_nothing_is_accepted() {
    let flags = "--nocapture --no-capture --show-output --test-threads 4 --test-threads=4 --color=never \
                 -Z unstable-options";
    run(VERDICTS, &format!("{flags} equal --bench")).ends_with(0).says("1 passed");
    assert_eq!(run(VERDICTS, &format!("{flags} equal")).ends_with(0).says("1 passed").stderr, "");
}

#[test]
fn names_are_taken_whole_or_in_part() {
    assert_eq!(ran("nested::"), ["nested::reported", "nested::left_out", "nested::one_box"]);
    assert_eq!(ran("nested:: --skip box"), ["nested::reported", "nested::left_out"]);
    assert_eq!(ran("equal five_times --exact"), ["equal", "five_times"]);
    assert_eq!(ran("one_box --exact"), [""; 0], "a part of a name");
    assert_eq!(ran("nested:: --exact"), [""; 0]);
    assert_eq!(ran("--exact --skip nested::reported nested::reported equal"), ["equal"]);
    assert_eq!(ran("equal equal"), ["equal"]);
    assert_eq!(ran("-- equal"), ["equal"]);
}
