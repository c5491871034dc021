//! The reports of a run, for people and for programs.

use crate::fixture::{VERDICTS, run};

#[test]
fn json_lines_end_with_the_counts() {
    let lines = run(VERDICTS, "--include-ignored --format json --bench").ends_with(101).lines();
    let (run, pairs) = lines.split_last().unwrap();
    assert_eq!(pairs.len(), 6);
    assert!(pairs.iter().all(|pair| pair["event"] == "pair") && run["event"] == "run");
    assert_eq!((&run["passed"], &run["failed"]), (&2.into(), &2.into()));
    assert_eq!((&run["inconclusive"], &run["measured"]), (&1.into(), &1.into()));
    assert!(run["machine"]["cores"].as_u64() >= Some(1));
}

#[test]
fn a_failure_names_the_pair_and_the_command_that_repeats_it() {
    let ran = run(VERDICTS, "five_times --seed 8f3a --max-time 1s --bench").ends_with(101);
    let ran = ran.says("failures:\n\nfive_times (tests/src/bin/verdicts.rs:24)\n    measured: ");
    let ran = ran.says("limit:    2 % slower (max_slowdown)");
    // Between them is the profile, which is not that of `cargo bench`.
    let ran = ran.says("repeat:   cargo bench -p bench_diff_tests@0.1.0 --bench verdicts ");
    ran.says(" -- --exact five_times --layouts linked --max-time 1s --seed 0000000000008f3a");
}

#[test]
fn a_pipe_gets_colours_where_they_are_asked_for() {
    run(VERDICTS, "equal --color always --bench").says("\u{1b}[32mpass");
}
