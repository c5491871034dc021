//! Tests and measures, as cargo asks for them.

use std::fs;
use std::path::Path;

use crate::fixture::{BROKEN, VERDICTS, run};

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
