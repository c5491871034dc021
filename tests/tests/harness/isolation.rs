//! Each pair of a round in a process of its own.

use serde_json::Value;

use crate::fixture::{FAULTS, GROUPS, OTHER_ARGS, Ran, VERDICTS, run, run_in};

/// The reason of each pair that has no verdict; none where it has one.
fn reasons(ran: &Ran) -> Vec<(String, Option<String>)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let reason = |record: &Value| match record["outcome"].as_str() {
        Some("error") => Some(text(&record["reason"])),
        Some("pass") => None,
        other => panic!("{other:?}"),
    };
    ran.records().iter().map(|record| (text(&record["name"]), reason(record))).collect()
}

#[test]
fn the_end_of_a_process_is_the_error_of_its_pair() {
    let ran = run(FAULTS, "--isolate --timeout 5s --format json --bench").ends_with(3);
    let reasons = reasons(&ran);
    let expected = [
        ("first", None),
        ("panics_in_a_thread", Some("panicked: out of order")),
        ("unwraps_the_panic_of_a_thread", Some("panicked at tests/src/bin/faults.rs")),
        ("leaves_a_panic_alone", None),
        ("exits", Some("ended the process with code 0")),
        ("overflows", Some("its process was ended by signal: 6 (SIGABRT)")),
        ("aborts", Some("its process was ended by signal: 6 (SIGABRT)")),
        ("never_returns", Some("took longer than --timeout 5s and was ended")),
        ("reads_standard_input", None),
        ("last", None),
    ];
    assert_eq!(reasons.len(), expected.len());
    for (name, expected) in expected {
        let (_, reason) = reasons.iter().find(|(decided, _)| decided == name).unwrap();
        let fits = match expected {
            Some(start) => reason.as_ref().is_some_and(|reason| reason.starts_with(start)),
            None => reason.is_none(),
        };
        assert!(fits, "{name}: {reason:?} is not {expected:?}");
    }
    // What functions print goes elsewhere, or the records could not have been read.
    let ran = ran.complains("this is a line of the function");
    let outputs = ran.records();
    let outputs = outputs.iter().filter(|record| record["output"].is_string());
    let said: Vec<&str> = outputs.map(|record| record["output"].as_str().unwrap()).collect();
    for text in ["and all is well", "it does not return", "overflowed its stack"] {
        assert!(said.iter().any(|said| said.contains(text)), "{text}: {said:?}");
    }
}

#[test]
fn a_test_can_be_isolated_as_well() {
    let line = "--isolate --timeout 5s";
    let ran = run_in(FAULTS, "", &[("BENCH_DIFF_ISOLATE", "1"), ("BENCH_DIFF_TIMEOUT", "5s")]);
    let ran = ran.ends_with(101).says("test first ... ok\n").says("test exits ... FAILED\n");
    let ran = ran.says("test never_returns ... FAILED\n").says("test last ... ok\n");
    let ran = ran.says("---- exits ----\nended the process with code 0\n");
    let ran = ran.says("---- never_returns ----\ntook longer than BENCH_DIFF_TIMEOUT=5s and was ended\n");
    ran.says("check: 4 equal, 0 none, 0 off\n").says("4 passed; 6 failed; 0 ignored");
    run(FAULTS, &format!("--exact first last {line}")).ends_with(0).says("2 passed; 0 failed");
}

#[test]
fn the_variable_that_limits_the_time_is_named() {
    let limit = [("BENCH_DIFF_TIMEOUT", "500ms"), ("BENCH_DIFF_ISOLATE", "1")];
    let ran = run_in(FAULTS, "--exact never_returns --format json --bench", &limit).ends_with(3);
    let reason = reasons(&ran).remove(0).1.unwrap();
    assert_eq!(reason, "took longer than BENCH_DIFF_TIMEOUT=500ms and was ended");
}

/// All but what was measured.
fn settled(arguments: &str, executable: &str) -> Vec<Value> {
    let mut records = run(executable, &format!("--seed 8f3a --format json --bench {arguments}")).records();
    records.sort_by_key(|record| record["name"].to_string());
    let fields = [
        "name", "package", "bench", "file", "line", "group", "check", "judge", "gate", "seed", "schema",
        "repeat",
    ];
    for record in &mut records {
        let record = record.as_object_mut().unwrap();
        record.retain(|field, _| fields.contains(&field.as_str()));
        assert_eq!(record.len(), fields.len());
        let repeat = record["repeat"].as_str().unwrap().replace(" --isolate", "");
        record["repeat"] = repeat.into();
    }
    records
}

#[test]
fn a_pair_is_judged_as_in_one_process_with_others() {
    for executable in [GROUPS, VERDICTS] {
        let (together, isolated) = (settled("", executable), settled("--isolate", executable));
        assert_eq!(together, isolated);
        assert!(isolated.iter().any(|record| record["group"].is_string()));
        assert!(isolated.iter().any(|record| record["gate"]["alpha"].is_number()));
    }
}

#[test]
fn every_report_is_that_of_the_run() {
    let ran = run(VERDICTS, "--isolate --bench").ends_with(101);
    let ran = ran.says("2 passed, 1 failed, 1 inconclusive, 0 errors").says(" --isolate --seed ");
    assert_eq!(ran.stdout.matches("machine: ").count(), 1, "{}", ran.stdout);
    let json = [("BENCH_DIFF_FORMAT", "json"), ("BENCH_DIFF_ISOLATE", "1")];
    let ran = run_in(VERDICTS, "--exact five_times --bench", &json).ends_with(101);
    assert_eq!(ran.records().len(), 1);
    assert!(!ran.stderr.contains("five_times"), "{}", ran.stderr);
    run(FAULTS, "exits last --isolate --fail-fast --bench")
        .ends_with(3)
        .says("stopped by --fail-fast, 1 not run");
}

#[test]
fn nextest_may_isolate_again() {
    let line = "--exact first --nocapture --bench --isolate";
    run_in(FAULTS, line, &[("NEXTEST", "1")]).ends_with(0).says("1 passed, 0 failed");
}

#[test]
fn args_that_differ_between_processes_are_told() {
    for (args, timeout, reason) in [
        ("panic", "1min", "its process has no pair of this name: `args` have to give the same values"),
        ("fewer", "1min", "its process has no pair of this name"),
        ("exit", "1min", "ended the process with code 0"),
        ("endless", "1s", "took longer than --timeout 1s and was ended"),
    ] {
        let line = format!("--isolate --timeout {timeout} --format json --bench");
        let ran = run_in(OTHER_ARGS, &line, &[("OTHER_ARGS", args)]).ends_with(3);
        let (name, told) = reasons(&ran).remove(0);
        assert!(
            name == "family/1" && told.as_ref().is_some_and(|told| told.starts_with(reason)),
            "{args}: {told:?}"
        );
    }
    run(OTHER_ARGS, "--isolate --bench").ends_with(0);
}
