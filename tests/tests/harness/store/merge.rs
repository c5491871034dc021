//! `--merge`: the records of several processes, as one run.

use std::fs;

use super::files;
use crate::fixture::{GROUPS, NOTHING, VERDICTS};
use crate::home::Home;

impl Home {
    /// One pair, in a process of its own, as nextest runs it.
    fn nextest(&self, run: &str, pair: &str, code: i32) {
        let environment = [("NEXTEST", "1"), ("NEXTEST_RUN_ID", run)];
        let line = format!("--exact {pair} --nocapture --bench");
        self.run_in(VERDICTS, &line, &environment).ends_with(code);
    }

    fn merge(&self, arguments: &str) -> crate::fixture::Ran {
        self.run(VERDICTS, &format!("--merge {} {arguments}", self.path().display()))
    }
}

#[test]
fn the_processes_of_nextest_become_one_report() {
    let home = Home::new();
    home.run(VERDICTS, "erratic --bench").ends_with(0);
    home.nextest("a-b", "nested::one_box", 0);
    home.nextest("a-b", "five_times", 101);
    let merged = home.merge("").ends_with(101).says("1 passed, 1 failed, 0 inconclusive, 0 errors");
    let merged = merged.says("running 2 pairs").complains("the records of 2 files below ");
    let [failed, passed] = ["five_times", "nested::one_box"].map(|name| merged.stdout.find(name).unwrap());
    assert!(failed < passed, "in the order of the source");
    home.merge("one_box").ends_with(0).says("1 passed, 0 failed");

    home.nextest("a-b", "five_times", 101);
    assert_eq!(files(&home.folder("verdicts")).len(), 2, "another attempt takes the place of the first");
    home.nextest("c-d", "nested::one_box", 0);
    home.merge("").ends_with(0).says("1 passed, 0 failed");
    let [file] = &files(&home.folder("verdicts"))[..] else { panic!("one run at a time") };
    assert!(file.starts_with("nextest-c-d-nested__one_box-") && file.ends_with(".jsonl"), "{file}");
}

#[test]
fn a_process_of_nextest_that_ended_before_its_first_record_is_missed() {
    let home = Home::new();
    home.nextest("a-b", "nested::one_box", 0);
    let environment = [("NEXTEST", "1"), ("NEXTEST_RUN_ID", "a-b"), ("BENCH_DIFF_AGAINST", "nowhere")];
    home.run_in(VERDICTS, "--exact equal --nocapture --bench", &environment).ends_with(3);
    home.merge("")
        .ends_with(3)
        .says("1 passed, 0 failed")
        .complains(".jsonl is empty: its run ended before its first record\n");
    home.nextest("a-b", "equal", 0);
    home.merge("").ends_with(0).says("2 passed, 0 failed");
}

#[test]
fn a_merge_needs_no_pair() {
    let home = Home::new();
    home.run(VERDICTS, "five_times --bench").ends_with(101);
    home.run(NOTHING, &format!("--merge {} --bench", home.path().display())).ends_with(101).says("1 failed");
}

#[test]
fn runs_of_one_pair_with_different_seeds_are_combined() {
    let home = Home::new();
    for seed in [1, 2] {
        let line = format!("five_times --seed {seed} --dir {} --bench", home.file(&seed.to_string()));
        home.run(VERDICTS, &line).ends_with(101);
    }
    let merged = home.merge("--format json").ends_with(101);
    let [record] = &merged.records()[..] else { panic!("one pair") };
    let single = |seed: &str| {
        let line = format!("--merge {} --format json", home.file(seed));
        home.run(VERDICTS, &line).ends_with(101).records()[0]["ln_e_fail"].as_f64().unwrap()
    };
    assert!((record["ln_e_fail"].as_f64().unwrap() - single("1") - single("2")).abs() < 1e-12);
    assert_eq!(record["outcome"], "fail");
    let notes = record["notes"].to_string();
    assert!(notes.contains("2 runs are combined") && notes.contains("with seed 0000000000000002"), "{notes}");
}

#[test]
fn one_run_does_not_count_twice() {
    let home = Home::new();
    home.run(VERDICTS, "equal one_box --bench").ends_with(0);
    home.run(VERDICTS, &format!("equal --seed 1 --dir {} --bench", home.file("other"))).ends_with(0);
    let copied = home.file("other/copy.jsonl");
    fs::copy(home.file("other/bench_diff_tests/verdicts/run.jsonl"), &copied).unwrap();
    let merged = home.merge("").ends_with(3).says("1 passed, 0 failed, 0 inconclusive, 1 error");
    let merged = merged.says("they have the same seed 0000000000000001").says("copy.jsonl");
    merged.says("other/bench_diff_tests/verdicts/run.jsonl");
}

#[test]
fn records_without_slots_are_merged_as_well() {
    let home = Home::new();
    for (pair, code) in [("one_box", 0), ("five_times", 101)] {
        let ran = home.run(VERDICTS, &format!("{pair} --format json --bench")).ends_with(code);
        fs::write(home.file(&format!("{pair}.jsonl")), ran.stdout).unwrap();
    }
    fs::remove_dir_all(home.path().join("bench_diff")).unwrap();
    home.merge("").ends_with(101).says("1 passed, 1 failed");
}

#[test]
fn pairs_of_several_benches_are_told_apart() {
    let home = Home::new();
    home.run(VERDICTS, "equal --bench").ends_with(0);
    home.run(GROUPS, "--bench").ends_with(0);
    let merged = home.merge("").ends_with(0).says("\nverdicts::equal ").says(", the baseline of ");
    assert!(merged.stdout.lines().any(|line| line.starts_with("groups::")), "{}", merged.stdout);
    let records = home.merge("--format json").ends_with(0).records();
    assert!(records.iter().any(|record| record["name"] == "equal" && record["bench"] == "verdicts"));
}

#[test]
fn nothing_to_merge_is_an_error() {
    let home = Home::new();
    home.merge("").ends_with(3).complains("error: --merge: no stored run below ");
    fs::write(home.file("notes.jsonl"), "hello\n").unwrap();
    home.run(VERDICTS, "equal --bench").ends_with(0);
    let merged = home.merge("").ends_with(3).says("1 passed, 0 failed");
    merged.complains("notes.jsonl, line 1: not a stored run of bench_diff");
    home.merge("--alpha 2%").ends_with(2).complains("--alpha cannot be used with --merge");
}

#[test]
fn what_is_merged_is_no_report_of_the_merge() {
    let home = Home::new();
    home.run(VERDICTS, "equal --bench").ends_with(0);
    let stored = fs::read_to_string(home.verdicts()).unwrap();
    let refused = home.merge(&format!("--json {}", home.verdicts().display())).ends_with(2);
    refused.complains("for '--json': the records of this run are read from it");
    assert_eq!(fs::read_to_string(home.verdicts()).unwrap(), stored);
}
