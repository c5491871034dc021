//! The reports of a run, for people and for programs.

use serde_json::Value;

use crate::fixture::{VERDICTS, run, run_in};

fn json(arguments: &str, code: i32) -> Vec<Value> {
    run(VERDICTS, &format!("--format json --bench {arguments}")).ends_with(code).lines()
}

#[test]
fn json_lines_end_with_the_counts() {
    let lines = json("--include-ignored", 101);
    let (run, pairs) = lines.split_last().unwrap();
    assert_eq!(pairs.len(), 6);
    assert!(pairs.iter().all(|pair| pair["event"] == "pair") && run["event"] == "run");
    assert_eq!((&run["passed"], &run["failed"]), (&2.into(), &2.into()));
    assert_eq!((&run["inconclusive"], &run["measured"]), (&1.into(), &1.into()));
    assert!(run["machine"]["cores"].as_u64() >= Some(1));
}

#[test]
fn the_record_of_a_failure() {
    let pair = &json("five_times --seed 8f3a --judge welch", 101)[0];
    assert_eq!(pair["outcome"], "fail");
    assert_eq!(pair["file"], "tests/src/bin/verdicts.rs");
    assert_eq!(pair["line"], 24);
    assert_eq!(pair["seed"], "0000000000008f3a");
    assert_eq!(pair["gate"]["kind"], "max_slowdown");
    assert_eq!(pair["gate"]["lo2"], Value::Null);
    // Five pairs have a gate: six are registered and one only reports.
    assert!((pair["gate"]["alpha"].as_f64().unwrap() - 0.01 / 5.0).abs() < 1e-15);
    let ratio = pair["ratio"].as_f64().unwrap();
    assert!((2.5..10.0).contains(&ratio), "{ratio}");
    assert!(
        pair["interval"]["low"].as_f64().unwrap() < ratio
            && ratio < pair["interval"]["high"].as_f64().unwrap()
    );
    assert_eq!(pair["duos"], 100);
    assert_eq!(pair["candidate"]["n"], 200);
    assert!(pair["candidate"]["median"].as_f64() > pair["baseline"]["median"].as_f64());
    assert_eq!(pair["welch"]["nominal"], false);
}

#[test]
fn the_record_of_a_sequential_failure() {
    let pair = &json("five_times", 101)[0];
    assert_eq!((&pair["judge"], &pair["outcome"]), (&"sequential".into(), &"fail".into()));
    // Five gates share alpha.
    assert!(pair["p_fail"].as_f64().unwrap() <= 0.01 / 5.0 && pair["p_pass"] == 1.0);
    assert_eq!(pair["welch"]["nominal"], true);
    assert!(pair["duos"].as_u64().unwrap() >= 16, "{pair}");
}

#[test]
fn the_record_of_a_pair_without_a_gate() {
    let pair = &json("nested::reported", 0)[0];
    assert_eq!(pair["outcome"], "measured");
    for field in ["gate", "p_fail", "p_pass", "mde"] {
        assert_eq!(pair[field], Value::Null, "{field}");
    }
    assert!(pair["ratio"].is_f64());
}

#[test]
fn the_record_of_an_ignored_pair_says_why() {
    let pair = &json("nested::left_out", 0)[0];
    assert_eq!(pair["outcome"], "ignored");
    assert_eq!(pair["reason"], "five times as slow, on purpose");
    assert_eq!(pair["ratio"], Value::Null);
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
fn a_pipe_gets_plain_text_and_a_force_gets_colours() {
    let plain = run(VERDICTS, "equal --bench").ends_with(0);
    assert!(!plain.stdout.contains('\u{1b}'), "{}", plain.stdout);
    let warnings = plain.stderr.lines().all(|line| line.starts_with("warning: "));
    assert!(warnings, "a progress bar on a pipe: {}", plain.stderr);
    run(VERDICTS, "equal --color always --bench").says("\u{1b}[32mpass");
    run_in(VERDICTS, "equal --bench", &[("CLICOLOR_FORCE", "1")]).says("\u{1b}[32mpass");
    let never = run_in(VERDICTS, "equal --color never --bench", &[("CLICOLOR_FORCE", "1")]);
    assert!(!never.stdout.contains('\u{1b}'));
}
