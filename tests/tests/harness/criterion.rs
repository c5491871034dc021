//! A bench that was written for Criterion, run as one of ours.

use std::fs;

use serde_json::Value;

use crate::fixture::{
    CRITERION, CRITERION_BY_HAND, CRITERION_NOTHING, Ran, command, run, run_in, temporary_folder,
};

/// As little as a test needs.
const QUICK: &str = "--format json --layouts none --bench";

const NAMES: &str = include_str!("lists/criterion.txt");

/// Those that cannot be called.
const BROKEN: [&str; 5] =
    ["of another measurement", "no routine", "panicking", "panicking elsewhere", "adding"];

#[test]
fn benchmarks_have_the_names_that_criterion_shows() {
    run(CRITERION, "--list --format terse --bench").lists(NAMES);
}

#[test]
fn each_routine_is_called_once_in_test_mode() {
    let ran = run(CRITERION, "").ends_with(101);
    for name in NAMES.lines().filter(|name| !BROKEN.contains(name)) {
        assert!(ran.stdout.contains(&format!("test {name} ... ok\n")), "{name}: {}", ran.stdout);
    }
    ran.says("bench_diff measures wall-clock time, and this measures `criterion::Calls`")
        .says("it measures nothing: it calls no method such as `iter` or `bench`")
        .says("out of order")
        .says("out of reach")
        .says("a benchmark cannot add another benchmark")
        .says("53 passed; 5 failed");
}

/// The records of the benchmarks whose names hold this.
fn measured(filter: &str) -> Vec<Value> {
    let records = run(CRITERION, &format!("{filter} {QUICK}")).ends_with(0).records();
    for record in &records {
        assert_eq!((&record["outcome"], &record["gate"]), (&"measured".into(), &Value::Null), "{record}");
    }
    records
}

fn latency(record: &Value) -> f64 {
    record["latency"]["ns"].as_f64().unwrap()
}

#[test]
fn a_longer_routine_has_a_longer_latency() {
    let records = measured("lengths/");
    assert!(latency(&records[1]) > 3.0 * latency(&records[0]), "{records:?}");
    let work: Vec<_> =
        records.iter().map(|record| (record["items"].as_u64(), record["bytes"].as_u64())).collect();
    assert_eq!(work, [(Some(2_000), None), (Some(40_000), None), (None, Some(14))]);
}

#[test]
fn a_routine_may_time_itself() {
    for record in measured("itself") {
        assert_eq!(record["candidate"]["median"].as_f64(), Some(1_000.0), "{record}");
    }
}

#[test]
fn the_fixed_part_of_the_time_of_a_routine_is_small() {
    let record = &measured("start")[0];
    let call = record["candidate"]["median"].as_f64().unwrap();
    assert!((400.0..450.0).contains(&call), "{record}");
}

#[test]
fn batches_futures_and_routines_on_another_thread_are_measured() {
    let batches = measured("batches/");
    assert_eq!(batches.len(), 14);
    for (name, most) in [("by value/one", 1), ("by ref/one", 1), ("with setup", 1), ("by value/ten", 10)] {
        let record = batches.iter().find(|record| record["name"] == format!("batches/{name}")).unwrap();
        assert!(record["iterations"].as_u64().unwrap() <= most, "{record}");
    }
    // Connections panic where they are not dropped on the executor, and one routine is on another thread.
    let others = measured("futures/ twice thread connections/");
    assert_eq!(others.len(), 3 + 3 + 1 + 4);
}

#[test]
fn a_target_is_run_to_its_end_wherever_its_benchmarks_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = folder.path().to_str().unwrap();
    for name in ["one", "two"] {
        let line = format!("{QUICK} cleaning/{name}");
        let records = run_in(CRITERION, &line, &[("CRITERION_SCRATCH", scratch)]).ends_with(0).records();
        assert_eq!(records.len(), 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{name}");
    }
}

#[test]
fn a_bench_without_benchmarks_passes() {
    let note = "note: left_out (tests/src/bin/criterion_nothing.rs:5) registers no benchmark, so it is not called \
                while others are measured\n";
    run(CRITERION_NOTHING, "--bench").ends_with(0).complains(note);
    run(CRITERION_NOTHING, "").ends_with(0).says("0 passed");
    run(CRITERION_NOTHING, "--bench --strict").ends_with(3).complains("no function registers a benchmark");
}

const BY_ORDER: &str =
    "note: bench_diff finds benchmarks whose names differ from process to process by their order: `";

#[test]
fn names_that_differ_from_process_to_process_are_found_by_their_order() {
    let variables = [("PROCESS_IN_NAMES", "1")];
    let ran = run_in(CRITERION, &format!("process {QUICK}"), &variables).ends_with(0);
    let records = ran.records();
    let [short, long] = &records[..] else { panic!("{records:?}") };
    assert!(latency(long) > 3.0 * latency(short), "{records:?}");
    let name = |record: &Value| record["name"].as_str().unwrap().to_owned();
    let names = [name(short), name(long)];
    ran.complains(&format!("{BY_ORDER}{}`, `{}`\n", names[0], names[1]));
    assert!(!records[0]["repeat"].as_str().unwrap().contains("--exact"), "{records:?}");
    let test = run_in(CRITERION, "process", &variables).ends_with(0);
    test.says("2 passed; 0 failed").complains(BY_ORDER);
    // Names that an earlier process listed select nothing.
    let words = ["--bench", "--exact", &names[0]];
    let mut command = command(CRITERION, "", temporary_folder().path());
    let later = Ran::from(command.args(words).envs(variables).output().unwrap());
    later.ends_with(0).complains("no pair matches the filter");
}

#[test]
fn names_may_count_what_a_process_registers() {
    // The numbers of the second target are those of the first one where that is left out.
    for (filter, names) in
        [("number/", ["number/1", "number/2"]), ("number/3 number/4", ["number/3", "number/4"])]
    {
        let records = run(CRITERION, &format!("{filter} {QUICK}")).ends_with(0).records();
        let [short, long] =
            names.map(|name| latency(records.iter().find(|record| record["name"] == name).unwrap()));
        assert!(long > 3.0 * short, "{records:?}");
    }
}

#[test]
fn a_main_by_hand_runs_what_it_registers_before_its_summary_or_its_end() {
    let folder = temporary_folder();
    let of_cargo = [
        ("CARGO_PKG_NAME", "by_hand"),
        ("CARGO_PKG_VERSION", "0.1.0"),
        ("CARGO_MANIFEST_DIR", folder.path().to_str().unwrap()),
    ];
    let ending = |variables: &[_], arguments: &str| {
        run_in(CRITERION_BY_HAND, arguments, &[&of_cargo, variables].concat())
    };
    for variables in [&[][..], &[("END_OF_MAIN", "return")]] {
        let started = |arguments: &str| ending(variables, arguments);
        started("--list --format terse").lists("constant\nconstant#2");
        started("").ends_with(0).says("2 passed; 0 failed");
        assert_eq!(started(&format!("{QUICK} constant#2")).ends_with(0).records().len(), 1);
    }
    for (end, why, code) in [("panic", ": out of order", 101), ("error", "Error: \"out of reach\"", 1)] {
        for (arguments, red) in [("", 101), ("--bench", 3)] {
            let ran = ending(&[("END_OF_MAIN", end)], arguments).ends_with(red);
            ran.complains(why)
                .says(&format!("while its `args` were listed: ended the process with code {code}"));
        }
    }
    run(CRITERION_BY_HAND, QUICK).ends_with(3).complains("error: only `cargo bench` can start this bench");
}
