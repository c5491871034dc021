//! List, test and measure, as cargo and nextest ask for them.

use std::fs;
use std::path::Path;

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
fn nextest_runs_one_pair_by_its_name() {
    run(VERDICTS, "--exact nested::one_box --nocapture --bench").ends_with(0).says("1 passed, 0 failed");
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

#[test]
fn the_help_shows_the_defaults() {
    let ran = run(VERDICTS, "--help").ends_with(0);
    for (flag, default) in [
        ("--judge <NAME>", "sequential"),
        ("--max-slowdown <SHARE>", "2%"),
        ("--alpha <RATE>", "0.01"),
        ("--beta <RATE>", "0.05"),
        ("--max-time <TIME>", "2s"),
        ("--exec-count <SLOTS>", "2000"),
        ("--clock <CLOCK>", "auto"),
        ("--warmup <TIME>", "50ms"),
        ("--order <ORDER>", "coin"),
    ] {
        let line = ran.stdout.lines().find(|line| line.contains(flag)).unwrap_or_default();
        assert!(line.ends_with(&format!("[default: {default}]")), "{flag}: {line}");
    }
}

/// The defaults are written in one place, and told in two more.
#[test]
fn the_documents_have_the_defaults_of_the_help() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = fs::read_to_string(workspace.join("README.md")).unwrap();
    let manual = fs::read_to_string(workspace.join("bench_diff_macros/src/lib.rs")).unwrap();
    for (option, default) in [
        ("`max_slowdown = ", "| `\"2%\"` |"),
        ("`judge = ", "| `\"sequential\"` |"),
        ("`max_time = ", "| `\"2s\"` |"),
        ("`exec_count = ", "| 2000 |"),
        ("`clock = ", "| `\"auto\"` |"),
        ("`warmup = ", "| `\"50ms\"`, `welch` `\"3s\"` |"),
    ] {
        for text in [&readme, &manual] {
            let row = text.lines().find(|line| line.contains("| ") && line.contains(option));
            assert!(row.is_some_and(|row| row.ends_with(default)), "{option}: {row:?}");
        }
    }
    assert!(readme.contains("| 0.01, 0.05 |"));
    assert!(manual.contains("may fail | 0.01 |") && manual.contains("may pass | 0.05 |"));
}

#[test]
fn fail_fast_leaves_the_rest_alone() {
    let ran = run(VERDICTS, "--fail-fast --bench").ends_with(101);
    ran.says("1 passed, 1 failed, 0 inconclusive, 0 errors").says("stopped by --fail-fast, 4 not run");
}
