//! Functions that meddle with what lies around them: harmless, or the error of their pair.

use std::fs;
use std::os::unix::process::ExitStatusExt;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::fixture::{Ran, SABOTEURS, command, run, run_in, temporary_folder};
use crate::processes::wait_for_all;

/// The end of each pair: a pass, or an error whose reason begins like this.
const EXPECTED: [(&str, Option<&str>); 21] = [
    ("first", None),
    ("forks_a_child_that_exits", None),
    ("forks_a_child_that_comes_back", None),
    ("forks_a_child_that_stays", None),
    ("forks_beside_others/threads=1", None),
    ("forks_beside_others/threads=3", None),
    ("leaves_a_handler_that_exits", None),
    ("removes_the_answer", Some(NOT_WRITTEN)),
    ("writes_into_the_answer", Some("what it found cannot be read: ")),
    ("makes_the_output_huge", None),
    ("removes_the_folder", Some(NOT_WRITTEN)),
    ("writes_to_every_file", None),
    ("closes_every_file", None),
    ("goes_elsewhere", None),
    ("empties_the_environment", None),
    ("may_write_no_file", Some("its process was ended by signal: 25 (SIGXFSZ)")),
    ("becomes_another_program", Some("ended the process with code 0")),
    ("panics_with_a_payload_that_panics/threads=1", Some("panicked at tests/src/bin/saboteurs.rs")),
    ("panics_with_a_payload_that_panics/threads=3", Some("panicked at tests/src/bin/saboteurs.rs")),
    ("returns_what_panics_when_it_is_dropped", Some("its process was ended by signal: 6 (SIGABRT)")),
    ("last", None),
];

/// The error of a process that cannot write its answer.
const NOT_WRITTEN: &str = "ended the process with code 3";

/// A run of these pairs, without whatever a function left running in it.
fn sabotaged(arguments: &str) -> Ran {
    sabotaged_of(SABOTEURS, arguments)
}

/// The same of another build of them.
pub(crate) fn sabotaged_of(saboteurs: &str, arguments: &str) -> Ran {
    let folder = temporary_folder();
    let ran = Ran::from(command(saboteurs, arguments, folder.path()).output().unwrap());
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string());
    let names: Vec<String> = names.map(Result::unwrap).collect();
    let stays: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("stays-")).collect();
    assert!(!stays.is_empty());
    for process in stays {
        // It was there all the time.
        kill(Pid::from_raw(process.parse().unwrap()), Signal::SIGKILL).unwrap();
    }
    assert!(!names.iter().any(|name| name.starts_with("bench_diff-")), "{names:?}");
    wait_for_all(folder.path());
    ran
}

/// All but what takes the results of others with it.
fn everything() -> String {
    let names: Vec<String> = EXPECTED.iter().map(|(name, _)| full(name)).collect();
    format!("--exact {} --timeout 3min", names.join(" "))
}

fn full(name: &str) -> String {
    if ["first", "last"].contains(&name) { name.to_owned() } else { format!("linux::{name}") }
}

#[track_caller]
fn assert_expected(ran: &Ran) {
    let records = ran.records();
    assert_eq!(records.len(), EXPECTED.len());
    for (name, expected) in EXPECTED {
        let record = records.iter().find(|record| record["name"] == full(name)).unwrap();
        let fits = match expected {
            // Threads wait for cores that others keep busy.
            None if name.contains("threads=") && record["outcome"] == "inconclusive" => true,
            None => record["outcome"] == "pass",
            Some(start) => record["reason"].as_str().is_some_and(|reason| reason.starts_with(start)),
        };
        assert!(fits, "{name}: {} {} is not {expected:?}", record["outcome"], record["reason"]);
    }
}

#[test]
fn what_meddles_is_harmless_or_the_error_of_its_pair() {
    let ran = sabotaged(&format!("{} --format json --bench", everything())).ends_with(3);
    assert_expected(&ran);
    ran.complains("note: only the first 16 MiB that this process prints are shown");
}

/// Everything has been said by then.
#[test]
fn a_process_that_does_not_end_makes_no_difference() {
    run(SABOTEURS, "--exact linux::leaves_a_handler_that_waits --layouts none --bench").ends_with(0);
}

#[test]
fn what_meddles_in_a_test_as_well() {
    let ran = sabotaged(&format!("{} --test", everything())).ends_with(101);
    for (name, expected) in EXPECTED {
        let passed = ran.stdout.contains(&format!("test {} ... ok\n", full(name)));
        assert_eq!(passed, expected.is_none(), "{name}\n{}", ran.stdout);
    }
}

#[test]
fn what_meddles_under_nextest_as_well() {
    let line = format!("--exact {} --nocapture --bench", full("removes_the_answer"));
    run_in(SABOTEURS, &line, &[("NEXTEST_RUN_ID", "1")]).ends_with(3).says("\n1 error, ");
}

#[test]
fn a_run_that_a_function_kills_is_not_green() {
    let folder = temporary_folder();
    let line = "--exact linux::kills_its_parent last --layouts linked --bench";
    let ended = command(SABOTEURS, line, folder.path()).output().unwrap();
    assert_eq!(ended.status.signal(), Some(Signal::SIGKILL as i32), "{ended:?}");
    wait_for_all(folder.path());
}
