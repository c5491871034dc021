//! The machine that a run shares with others.

use crate::fixture::{VERDICTS, run, run_in};

#[test]
fn the_machine_is_told_at_the_start() {
    let ran = run(VERDICTS, "equal --bench").ends_with(0);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[1].starts_with("running 1 pair ") && lines[3].starts_with("pair "), "{}", ran.stdout);
    assert!(lines[2].starts_with("machine: ") && lines[2].contains(" core"), "{}", lines[2]);
    assert!(!run(VERDICTS, "equal -q --bench").ends_with(0).stdout.contains("machine"));
}

#[test]
fn tests_beside_a_measurement_are_worth_a_warning() {
    let beside = [("NEXTEST", "1"), ("NEXTEST_TEST_THREADS", "8")];
    let warning = "warning: nextest runs up to 8 tests at a time";
    run_in(VERDICTS, "equal --bench", &beside).ends_with(0).complains(warning);
    assert!(!run_in(VERDICTS, "equal", &beside).ends_with(0).stderr.contains("nextest"));
    let alone = [("NEXTEST", "1"), ("NEXTEST_TEST_THREADS", "1")];
    assert!(!run_in(VERDICTS, "equal --bench", &alone).ends_with(0).stderr.contains("nextest"));
}
