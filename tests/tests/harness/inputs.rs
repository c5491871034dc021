//! Functions with inputs: their names, their checks, and what is wrong with some.

use crate::fixture::{INPUTS, WRONG, run};
use crate::home::Home;

const NAMES: &str = include_str!("lists/inputs.txt");

#[test]
fn every_arg_type_and_const_is_in_the_name() {
    run(INPUTS, "--list --format terse").lists(NAMES);
}

#[test]
fn test_mode_compares_the_outputs() {
    let ran = run(INPUTS, "").ends_with(0).says("test args::by_ref/a_b#2 ... ok");
    let ran = ran.says("\ncheck: 48 equal, 3 none, 1 off\n\ntest result: ok. 52 passed");
    ran.says("test setup::not_clone ... ok");
}

#[test]
fn every_shape_is_measured() {
    let ran = run(INPUTS, "--format json --max-slowdown 10000% --bench").ends_with(0);
    let records = ran.records();
    let mut names: Vec<&str> = records.iter().map(|record| record["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    let mut expected: Vec<&str> = NAMES.lines().collect();
    expected.sort_unstable();
    assert_eq!(names, expected);
    for record in &records {
        let name = record["name"].as_str().unwrap();
        // The fixture is hardly optimised, and some of its functions are shorter than the cost of a call.
        let is_too_short =
            record["reason"].as_str().is_some_and(|reason| reason.starts_with("do more work in one call"));
        assert_eq!(record["outcome"], if is_too_short { "inconclusive" } else { "pass" }, "{record}");
        let check = match name {
            "setup::not_clone" | "setup::lent_from_mut" | "setup::by_mut_dyn" => "none",
            "outputs::unchecked" => "off",
            _ => "equal",
        };
        assert_eq!(record["check"], check, "{name}");
        let notes = record["notes"].as_array().unwrap();
        let prepares = notes.iter().any(|note| note.as_str().unwrap().starts_with("inputs are made"));
        let fresh =
            ["setup::by_value", "setup::by_mut", "setup::not_clone", "setup::lent_from_mut", "args::by_mut"];
        let fresh = fresh.iter().any(|start| name.starts_with(start));
        assert!(prepares || !fresh, "{record}");
        assert!(!prepares || !name.contains("ref"), "{record}");
    }
}

#[test]
fn a_margin_may_depend_on_the_arg() {
    let ran = run(INPUTS, "args::with_margins --format json --bench").ends_with(0);
    let margins: Vec<f64> =
        ran.records().iter().map(|record| record["gate"]["margin"].as_f64().unwrap()).collect();
    assert_eq!(margins, [3.0, 5.0]);
}

#[test]
fn what_is_wrong_is_an_error_and_the_rest_runs() {
    // The two others have so little to do that they may be too short to tell.
    let ran = run(WRONG, "--bench").ends_with(3).says("10 errors\n");
    assert!(!ran.stdout.contains(" failed, "), "{}", ran.stdout);
    let ran = ran.says(
        "different_outputs/1000 (tests/src/bin/wrong.rs:16)\n    the outputs differ\n      candidate: ...",
    );
    let ran = ran.says("498, 499, 501, 501, 502").says("498, 499, 500, 501, 502").says("arg:       1000");
    let ran =
        ran.says("the inputs differ after the call\n      candidate: [3, 2, 1]\n      baseline:  [1, 2, 3]");
    let ran = ran.says("candidate: Some(\"one two\")\n      baseline:  Some(\"one\")");
    let ran = ran.says("the inputs differ after the call\n      candidate: [1, 2]\n      baseline:  [3, 1]");
    let ran = ran.says("the candidate returned an error: invalid digit found in string");
    let ran = ran.says("the candidate returned an error: call 21");
    let ran = ran.says("wrong.rs:60:5: out of inputs").says("wrong.rs:73:5: out of args");
    ran.says("`args` has no values").says("`max_slowdown` of this arg is -0.5");
}

#[test]
fn the_backtrace_of_a_setup_has_the_frames_of_the_user() {
    let home = Home::new();
    let ran = home.run_in(WRONG, "setup_panics --exact --bench", &[("RUST_BACKTRACE", "1")]).ends_with(3);
    ran.says("wrong::broken");
}

#[test]
fn what_is_wrong_fails_a_test() {
    let ran = run(WRONG, "").ends_with(101).says("test different_outputs/1 ... ok");
    let ran = ran.says("test different_outputs/1000 ... FAILED").says("---- different_outputs/1000 ----");
    let ran = ran.says("test returns_err/one ... FAILED").says("test returns_err_later ... ok");
    let ran = ran.says("test args_panic ... FAILED").says("test setup_panics ... FAILED");
    let ran = ran.says("failures:\n    different_outputs/1000\n    different_inputs\n");
    ran.says("test result: FAILED. 3 passed; 9 failed;");
}
