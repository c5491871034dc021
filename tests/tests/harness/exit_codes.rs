//! The end of a run: the table of exit codes, row by row.

use crate::fixture::{BROKEN, NOTHING, VERDICTS, run, run_in};

#[test]
fn zero_where_every_pair_passed() {
    run(VERDICTS, "equal one_box --bench").ends_with(0).says("\n2 passed, 4 filtered out\n");
}

#[test]
fn zero_where_a_pair_is_inconclusive_unless_strict() {
    let line = "erratic --exact --bench";
    run(VERDICTS, line).ends_with(0).says("\n1 inconclusive, 5 filtered out\n");
    run(VERDICTS, "erratic --exact --strict --bench").ends_with(101).says("1 inconclusive");
    run_in(VERDICTS, line, &[("BENCH_DIFF_STRICT", "1")]).ends_with(101);
}

#[test]
fn one_hundred_and_one_where_a_pair_failed() {
    run(VERDICTS, "--bench").ends_with(101).says("2 passed, 1 failed, 1 inconclusive, 1 ignored, 1 measured");
}

#[test]
fn two_where_the_usage_is_wrong() {
    let wrong = run(VERDICTS, "--max-slowdwon 2% --bench").ends_with(2);
    let wrong = wrong.complains("'--max-slowdwon'").complains("a similar argument exists: '--max-slowdown'");
    assert!(wrong.stderr.starts_with("error: "), "{}", wrong.stderr);
    assert!(wrong.stderr.ends_with("\n\nFor more information, try '--help'.\n"), "{}", wrong.stderr);
    let variable = run_in(VERDICTS, "--bench", &[("BENCH_DIFF_MAX_TIME", "long")]).ends_with(2);
    variable.complains("invalid value 'long' for 'BENCH_DIFF_MAX_TIME': expected a time");
    let misspelled = run_in(VERDICTS, "--bench", &[("BENCH_DIFF_MAX_SLOWDWON", "9%")]).ends_with(2);
    let misspelled = misspelled.complains("unexpected variable 'BENCH_DIFF_MAX_SLOWDWON'");
    misspelled.complains("a similar variable exists: 'BENCH_DIFF_MAX_SLOWDOWN'");
}

#[test]
fn three_where_a_pair_panics_and_the_others_run() {
    let ran = run(BROKEN, "--bench").ends_with(3);
    let ran = ran.says("\n1 passed, 2 errors, 2 ignored\n");
    let ran = ran.says("src/bin/broken.rs:14:5: out of order");
    assert!(!ran.stderr.contains("out of order"), "{}", ran.stderr);
}

#[test]
fn three_where_a_pair_ends_the_process() {
    for pair in ["exits", "exits_in_a_thread"] {
        let line = format!("{pair} works_too --exact --include-ignored");
        let ran = run(BROKEN, &format!("{line} --bench")).ends_with(3);
        ran.says("    ended the process with code 0\n").says("\n1 passed, 1 error, ");
        let ran = run(BROKEN, &format!("{line} --test")).ends_with(101);
        ran.says(&format!("test {pair} ... FAILED")).says("test works_too ... ok");
    }
}

#[test]
fn three_where_nothing_is_registered() {
    for mode in ["--bench", "--test"] {
        let ran = run(NOTHING, mode).ends_with(3).complains("no benchmark is registered");
        ran.complains("Put #[bench_diff] over a function").complains("use my_library as _;");
    }
    let list = run(NOTHING, "--list").ends_with(0).complains("no benchmark is registered");
    assert_eq!(list.stdout, "");
}

#[test]
fn three_where_nextest_asks_for_a_pair_that_is_not_there() {
    let line = "--exact absent --nocapture --bench";
    run_in(VERDICTS, line, &[("NEXTEST_RUN_ID", "1")]).ends_with(3).complains("no pair has this name");
    run(VERDICTS, line).ends_with(0);
}
