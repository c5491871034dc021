//! Functions with which a process ends or does not: the error of their pair, and of no other.

use std::io::Write;
use std::process::Stdio;
use std::thread;

use crate::fixture::{FAULTS, HOSTILE, command, run, run_in, temporary_folder};

#[test]
fn the_end_of_a_process_is_the_error_of_its_pair() {
    let ran = run(FAULTS, "--skip warms_up --timeout 3s --format json --bench").ends_with(3);
    let records = ran.records();
    let expected = [
        ("first", None),
        ("panics_in_a_thread", Some("panicked: out of order")),
        ("unwraps_the_panic_of_a_thread", Some("panicked at tests/src/bin/faults.rs")),
        ("leaves_a_panic_alone", None),
        ("exits", Some("ended the process with code 0")),
        ("overflows", Some("its process was ended by signal: 6 (SIGABRT)")),
        ("aborts", Some("its process was ended by signal: 6 (SIGABRT)")),
        ("never_returns", Some("took longer than --timeout 3s and was ended")),
        ("reads_standard_input", None),
        ("last", None),
    ];
    assert_eq!(records.len(), expected.len());
    for (name, reason) in expected {
        let record = records.iter().find(|record| record["name"] == name).unwrap();
        let told = record["reason"].as_str().unwrap_or_default();
        assert_eq!(record["outcome"], if reason.is_some() { "error" } else { "pass" }, "{record}");
        assert!(told.starts_with(reason.unwrap_or_default()), "{record}");
    }
    // The output of functions is not among the records, which could not be read otherwise. Neither is the panic
    // of a thread that is not joined.
    ran.complains("this is a line of the function").complains("all alone");
    let said: Vec<&str> = records.iter().filter_map(|record| record["output"].as_str()).collect();
    for text in ["and all is well", "it does not return", "overflowed its stack"] {
        assert!(said.iter().any(|said| said.contains(text)), "{text}: {said:?}");
    }
}

#[test]
fn a_panic_of_a_thread_is_that_of_the_function_which_waits_for_it() {
    let ran = run(FAULTS, "the_panic_of panics_in_a_thread --format json --bench").ends_with(3);
    let records = ran.records();
    let reasons: Vec<&str> = records.iter().map(|record| record["reason"].as_str().unwrap()).collect();
    let place = "  before, another thread panicked at tests/src/bin/faults.rs:";
    assert_eq!(reasons.len(), 2);
    assert!(reasons[0].starts_with("panicked: out of order\n"), "{reasons:?}");
    assert!(reasons[1].contains(": the thread works: Any"), "{reasons:?}");
    for reason in reasons {
        assert!(reason.contains(place) && reason.ends_with(": out of order"), "{reason}");
    }
}

#[test]
fn a_backtrace_has_the_frames_of_the_user() {
    let line = "unwraps_the_panic_of --format json --bench";
    let record = run_in(FAULTS, line, &[("RUST_BACKTRACE", "1")]).ends_with(3).records().remove(0);
    let output = record["output"].as_str().unwrap_or_default();
    assert!(output.contains("stack backtrace:") && output.contains("faults::unwraps_the_panic_of_a_thread"));
    assert!(!output.contains("bench_diff_harness::"), "{output}");
}

#[test]
fn what_was_printed_before_an_error_stands_with_it() {
    let layouts = ["--layouts none", "--layouts linked", "--judge welch"];
    for line in layouts.map(|layouts| format!("--exact exits last {layouts} --bench")) {
        let ran = run(FAULTS, &line).ends_with(3);
        let (table, end) = ran.stdout.split_once("\nerrors:\n").unwrap();
        let reason = "    ended the process with code 0\n";
        assert!(table.contains(" ERROR ") && !table.contains(reason), "{line}: {table}");
        assert!(
            end.contains(reason) && end.contains("\n    output:\n      and all is well\n"),
            "{line}: {end}"
        );
        assert!(
            !table.contains("all is well") && !ran.stderr.contains("all is well"),
            "{line}: {}",
            ran.stderr
        );
        // What works says what it has to say where the run is.
        let said = ran.stderr.matches("this is a line of the function\n").count();
        assert_eq!(said, 1, "{line}: {}", ran.stderr);
        assert!(!end.contains("this is a line"), "{line}: {end}");
    }
}

#[test]
fn what_a_run_gets_on_its_standard_input_is_for_no_function() {
    let folder = temporary_folder();
    let mut command = command(FAULTS, "--exact reads_standard_input --bench", folder.path());
    let mut run = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    run.stdin.take().unwrap().write_all(b"text").unwrap();
    assert!(run.wait().unwrap().success());
}

#[test]
fn every_report_of_an_error_has_what_was_printed() {
    let record = run(FAULTS, "--exact exits --format json --bench").ends_with(3).records().remove(0);
    assert_eq!(record["output"], "and all is well");
    let terse = run(FAULTS, "--exact exits --format terse --bench").ends_with(3);
    terse.says("ERROR exits\n").says("\n    output:\n      and all is well\n");
    let test = run(FAULTS, "--exact exits --test").ends_with(101);
    test.says("---- exits ----\nended the process with code 0\n\nand all is well\n");
}

#[test]
fn a_limit_may_be_a_variable_and_is_for_all_processes_of_a_pair() {
    let variable = [("BENCH_DIFF_TIMEOUT", "1s")];
    let alone = run_in(FAULTS, "--exact never_returns --bench", &variable).ends_with(3);
    alone.says("took longer than BENCH_DIFF_TIMEOUT=1s and was ended");
    // Each process takes less.
    let together = run(FAULTS, "--exact warms_up::equal --timeout 500ms --bench").ends_with(3);
    together.says("took longer than --timeout 500ms and was ended");
}

#[test]
fn a_budget_ends_what_is_being_measured() {
    let lines = run(FAULTS, "--exact never_returns --budget 1s --format json --bench").ends_with(0).lines();
    assert_eq!(lines[0]["reason"], "the budget is spent: it was not measured yet");
    assert!(lines[1]["inconclusive"] == 1 && lines[1]["over_budget"] == 1, "{lines:?}");
}

#[test]
fn a_test_that_takes_too_long_is_ended_and_the_others_go_on() {
    let ran = run(FAULTS, "--exact first never_returns last --timeout 2s").ends_with(101);
    let ran = ran.says("test first ... ok\ntest never_returns ... FAILED\ntest last ... ok\n");
    ran.says("\n---- never_returns ----\ntook longer than --timeout 2s and was ended\n");
}

/// The lock of the error stream is not the harness's to take: a function may hold it for ever.
#[test]
fn a_function_that_holds_the_error_stream_ends_in_time() {
    let check = |mode: &str, code: i32| {
        let line = format!("--exact holds_the_error_stream --timeout 1s {mode}");
        run(HOSTILE, &line).ends_with(code).says("took longer than --timeout 1s and was ended");
    };
    // They do nothing but wait.
    thread::scope(|scope| {
        scope.spawn(|| check("--bench", 3));
        scope.spawn(|| check("--test", 101));
    });
}

#[cfg(unix)]
#[test]
fn an_end_of_the_process_while_another_thread_holds_the_error_stream_is_told() {
    let ran = run(HOSTILE, "--exact first exits_while_the_error_stream_is_held --bench").ends_with(3);
    ran.says("1 passed, ").says("    ended the process with code 0\n");
}

#[test]
fn a_message_that_a_terminal_or_a_runner_would_obey_is_shown_as_escapes() {
    for arguments in ["--bench", "--bench --format terse", "--test"] {
        let ran = run(HOSTILE, &format!("_colour {arguments}"));
        assert!(ran.code == Some(3) || ran.code == Some(101), "{:?}", ran.code);
        for text in [&ran.stdout, &ran.stderr] {
            let is_safe = |line: &str| {
                let is_command = line.trim_start().starts_with("::add-mask") || line.contains("##[");
                !is_command && !line.contains(|c: char| c.is_control() && c != '\t' || c == '\u{202e}')
            };
            assert!(text.lines().all(is_safe), "{arguments}: {text:?}");
        }
        let all = ran.stdout + &ran.stderr;
        assert!(all.contains(r"\u{3a}:add-mask::out of order\u{1b}[2J\u{202e}"), "{all}");
        assert!(all.contains(r"\u{23}#[group]\u{1b}]0;owned\u{7}"), "{all}");
        assert!(all.contains(r"\u{23}#[error]printed\u{1b}[2J\u{202e}"), "{all}");
    }
}

#[test]
fn a_long_message_is_cut_and_says_so() {
    const LINE: &str = "--exact panics_at_length --bench";

    let ran = run(HOSTILE, &format!("{LINE} --format json")).ends_with(3);
    let record = ran.records().remove(0);
    let reason = record["reason"].as_str().unwrap();
    assert!(reason.len() < 33_000 && reason.ends_with(" bytes more)"), "{} bytes", reason.len());
    assert!(record["output"].is_null(), "it is not told twice");
    run(HOSTILE, LINE).ends_with(3).says(" bytes more)");
}
