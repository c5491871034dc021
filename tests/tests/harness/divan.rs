//! Benchmarks that are written for divan.

use crate::fixture::{DIVAN, DIVAN_NOTHING, run};
#[cfg(target_os = "linux")]
use crate::{
    fixture::run_in,
    sides::{against_old, executable},
};

/// As little as a test needs.
const QUICK: &str = "--format json --layouts none --bench";

#[test]
fn names_are_those_of_the_attribute() {
    run(DIVAN, "--list --format terse").lists(include_str!("lists/divan.txt"));
}

#[test]
fn a_main_says_what_is_run() {
    let list = run_in(DIVAN, "--bench", &[("DIVAN_MAIN", "configured")]).ends_with(0);
    let names = list.listed();
    assert_eq!(names[..2], ["named/threads=1", "named/threads=2"]);
    assert!(names.contains(&"shared things::deeper::alone/threads=2"), "{names:?}");
    let is_skipped = |name: &&str| ["plain", "numbers", "wrong"].iter().any(|part| name.contains(part));
    assert!(
        !names.iter().any(is_skipped) && names.iter().all(|name| name.contains("/threads=")),
        "{names:?}"
    );
    let refused = run_in(DIVAN, "--bench", &[("DIVAN_MAIN", "regex")]).ends_with(2);
    refused.complains("`skip_regex(\"a|b\")`").complains("`skip_exact`");
}

#[test]
fn a_test_calls_each_function_once_unless_it_is_ignored() {
    let ran = run(DIVAN, "").ends_with(101).says("39 passed; 2 failed; 4 ignored;");
    let ran = ran.says("test ignored ... ignored").says("test ignored_here ... ignored");
    let ran = ran.says("test shared things::deeper::ignored::too/threads=3 ... ignored");
    let ran = ran.says("test shared things::deeper::ignored::not/threads=3 ... ok").says("out of order");
    ran.says("it measures nothing: it calls no method such as `iter` or `bench`\n");
    run(DIVAN, "--skip wrong").ends_with(0);
}

#[test]
fn a_time_in_a_name_may_differ_from_process_to_process() {
    for (arguments, end) in
        [("times --test", "1 passed; 0 failed"), ("times --layouts none --bench", "1 measured")]
    {
        let ran = run_in(DIVAN, arguments, &[("TIME_IN_NAMES", "1")]).ends_with(0).says(end);
        ran.complains("whose names differ from process to process by their order: `times/");
    }
}

#[test]
fn a_panic_in_an_option_of_a_group_is_no_failed_gate() {
    for arguments in ["", "--bench", "--list"] {
        let ran = run_in(DIVAN, arguments, &[("DIVAN_MAIN", "panicking")]).ends_with(3);
        ran.complains("out of order").complains("error: an option of a benchmark or a group panicked\n");
    }
}

/// The end of the process has the exit code, though `main` returns nothing.
#[test]
fn what_is_wrong_with_one_ends_no_other() {
    let ran = run(DIVAN, "wrong plain --layouts none --bench").ends_with(3);
    let ran = ran.says("1 measured").says("2 errors").says("out of order");
    ran.says("\nto compare with an earlier revision: cargo bench -p ");
}

#[test]
fn every_shape_is_measured_with_the_work_of_its_calls_and_their_allocations() {
    let ran = run(DIVAN, &format!("--skip wrong {QUICK}")).ends_with(0);
    let records = ran.records();
    let measured: Vec<_> = records.iter().filter(|record| record["outcome"] == "measured").collect();
    assert_eq!(measured.len(), 39);
    let of = |name: &str| measured.iter().find(|record| record["name"] == name).unwrap();
    let work = |name: &str| [&of(name)["bytes"], &of(name)["items"]].map(serde_json::Value::as_u64);
    let works = ["plain", "lengths/5", "text_of_its_own", "counted_inputs"].map(work);
    assert_eq!(works, [[None, None], [Some(5), Some(3)], [Some(4), Some(3)], [None, Some(7)]]);
    assert_eq!(work("by a macro::deeper::second/threads=2"), [Some(8), Some(4)]);
    assert_eq!(of("lengths/5")["allocations"]["candidate"]["bytes"], 5);
    let notes = |name: &str| of(name)["notes"].to_string();
    assert!(notes("shared things::together/threads=3").contains("until the last thread is done"));
    assert!(notes("numbers/10").contains("outputs are dropped after each slot"));
    assert!(notes("local_refs").contains("inputs are made before each slot"));
}

#[test]
#[cfg(target_os = "linux")]
fn the_end_of_a_main_is_for_the_run_alone() {
    for against in [String::new(), against_old()] {
        let needed = tempfile::NamedTempFile::new().unwrap();
        let path = needed.path().to_str().unwrap();
        let line = format!("--bench {against} --report-only --max-time 100ms --format json");
        let records =
            run_in(executable("ends"), &line, &[("NEEDED_BY_BENCHMARKS", path)]).ends_with(0).records();
        assert!(records.iter().all(|record| record["outcome"] != "error"), "{records:?}");
        assert!(!needed.path().exists());
    }
}

#[test]
fn a_target_without_benchmarks_is_an_error_unless_it_is_listed() {
    run(DIVAN_NOTHING, "--bench")
        .ends_with(3)
        .complains("error: there is no `#[divan::bench]` in this target");
    run(DIVAN_NOTHING, "--list").ends_with(0);
}
