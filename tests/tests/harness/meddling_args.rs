//! Failures of `args` happen in a process that the run started: each is the error of their function, or
//! nothing.

use crate::fixture::{MEDDLING_ARGS, Ran, run_in};

fn meddle(how: &str, arguments: &str) -> Ran {
    run_in(MEDDLING_ARGS, arguments, &[("MEDDLE", how)])
}

#[test]
fn args_that_fail_are_the_error_of_their_function_and_the_others_run() {
    const LISTED: &str = "while its `args` were listed: ";

    let mut cases = vec![
        ("panic", "panicked at ", ": no message"),
        ("exit", LISTED, "ended the process with code 0"),
        ("never return", LISTED, "took longer than --timeout 2s and was ended"),
    ];
    if cfg!(unix) {
        cases.push(("abort", LISTED, "signal: 6 (SIGABRT)"));
    }
    for (how, start, end) in cases {
        let records = meddle(how, "--timeout 2s --format json --bench").ends_with(3).records();
        let outcomes: Vec<_> = records.iter().map(|record| (&record["name"], &record["outcome"])).collect();
        assert_eq!(outcomes.len(), 2, "{how}: {outcomes:?}");
        assert_eq!((outcomes[0].0, outcomes[0].1), (&"slow".into(), &"error".into()), "{how}");
        assert_eq!((outcomes[1].0, outcomes[1].1), (&"works_too".into(), &"pass".into()), "{how}");
        let reason = records[0]["reason"].as_str().unwrap();
        assert!(reason.starts_with(start) && reason.ends_with(end), "{how}: {reason}");
        let test = meddle(how, "--timeout 1s --test").ends_with(101);
        test.says("test slow ... FAILED\n").says("test works_too ... ok\n");
        let list = meddle(how, "--timeout 1s --list --format terse").ends_with(0);
        assert_eq!(list.stdout, "slow: benchmark\nworks_too: benchmark\n", "{how}");
    }
}

#[test]
fn what_args_leave_behind_makes_no_red_run_green() {
    for how in ["leave a handler", "fork and come back", "go elsewhere"] {
        let ran = meddle(how, "--bench").ends_with(101);
        let ran = ran.says("\n1 passed, 1 failed\n");
        assert_eq!(ran.stdout.matches("1 failed").count(), 1, "{how}: {}", ran.stdout);
        meddle(how, "--test").ends_with(0).says("2 passed; 0 failed");
        let list = meddle(how, "--list --format terse").ends_with(0);
        assert_eq!(list.stdout, "slow/1: benchmark\nworks_too: benchmark\n", "{how}");
    }
}

#[test]
fn what_args_print_is_shown_once_and_stands_in_no_report() {
    for mode in ["--bench", "--test", "--list"] {
        let ran = meddle("print", mode);
        assert_eq!(ran.stderr.matches("args are evaluated").count(), 1, "{mode}: {}", ran.stderr);
        assert!(!ran.stdout.contains("args are evaluated"), "{mode}: {}", ran.stdout);
    }
}

#[test]
fn args_that_differ_between_processes_are_told() {
    for (others, timeout, reason) in [
        ("panic", "1min", "its process has no pair of this name: `args` have to give the same values"),
        ("fewer", "1min", "its process has no pair of this name"),
        ("exit", "1min", "ended the process with code 0"),
        ("never return", "1s", "took longer than --timeout 1s and was ended"),
    ] {
        let line = format!("slow --timeout {timeout} --format json --bench");
        let variables = [("MEDDLE", "differ"), ("OTHERS", others)];
        let records = run_in(MEDDLING_ARGS, &line, &variables).ends_with(3).records();
        let told = records[0]["reason"].as_str().unwrap();
        assert!(records[0]["name"] == "slow/1" && told.starts_with(reason), "{others}: {told}");
    }
}
