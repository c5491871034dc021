//! `args` are evaluated in the process of the run: what they do to it makes no run green.

use crate::fixture::{MEDDLING_ARGS, Ran, run_in};

fn meddle(how: &str, arguments: &str) -> Ran {
    run_in(MEDDLING_ARGS, arguments, &[("MEDDLE", how)])
}

#[cfg(unix)]
#[test]
fn an_exit_handler_makes_no_red_run_green() {
    meddle("handler", "--bench").ends_with(101).says("0 passed, 1 failed, 0 inconclusive, 0 errors");
    meddle("handler", "--bench --isolate --format json").ends_with(101);
    meddle("handler", "--test").ends_with(0).says("1 passed; 0 failed");
    meddle("handler", "--max-slowdwon 1% --bench").ends_with(2);
}

#[cfg(unix)]
#[test]
fn the_end_of_a_forked_process_is_its_own_affair() {
    for (mode, code) in [("--bench", 101), ("--test", 0), ("--list", 0)] {
        let ran = meddle("fork and exit", mode).ends_with(code);
        assert!(!ran.stderr.contains("ended the process"), "{}", ran.stderr);
    }
}

/// It would measure and tell everything a second time.
#[cfg(unix)]
#[test]
fn a_forked_process_is_no_second_run() {
    let listed = meddle("fork", "--list").ends_with(0);
    assert_eq!(listed.stdout.matches("slow/1: benchmark").count(), 1, "{}", listed.stdout);
    let ran = meddle("fork", "--bench").ends_with(101).says("0 passed, 1 failed, 0 inconclusive, 0 errors");
    assert_eq!(ran.stdout.matches("1 failed").count(), 1, "{}", ran.stdout);
}

#[cfg(unix)]
#[test]
fn a_thread_that_ends_the_run_makes_it_no_green_one() {
    for how in ["exit later", "handler, exit later"] {
        for mode in ["--bench", "--test"] {
            let ran = meddle(how, mode).ends_with(3);
            ran.complains("error: what `args` started ended the process; nothing after it was measured");
        }
    }
}

#[test]
fn a_panic_whose_payload_panics_is_that_of_its_pair() {
    let ran = meddle("payload", "--format json --bench").ends_with(3);
    let record = ran.records().remove(0);
    assert_eq!(record["name"], "slow");
    let reason = record["reason"].as_str().unwrap();
    assert!(reason.starts_with("panicked at ") && reason.ends_with(": no message"), "{reason}");
}

/// Every process evaluates `args`, and each begins where the run began.
#[test]
fn args_may_change_the_folder() {
    meddle("elsewhere", "--bench").ends_with(101).says("0 passed, 1 failed, 0 inconclusive, 0 errors");
    meddle("elsewhere", "--test").ends_with(0);
}
