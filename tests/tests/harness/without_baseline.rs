//! Functions without a baseline: their latency is measured and nothing is judged.

use crate::fixture::{Ran, WITHOUT_BASELINE, run};

/// As little as a test needs.
const QUICK: &str = "--layouts none --bench";

#[test]
fn they_are_listed_and_called_once_like_pairs() {
    run(WITHOUT_BASELINE, "--list --format terse").lists(include_str!("lists/without_baseline.txt"));
    let ran = run(WITHOUT_BASELINE, "").ends_with(101).says("test by_mut ... ok\n");
    let ran = ran.says("test refused ... FAILED").says("returned an error: 1 is too few");
    ran.says("out of order")
        .says("check: 1 equal, 15 none, 0 off\n\ntest result: FAILED. 16 passed; 2 failed");
}

fn latency(ran: &Ran, name: &str) -> f64 {
    let records = ran.records();
    let record = records.iter().find(|record| record["name"] == name).unwrap();
    assert_eq!(
        (record["outcome"].as_str(), record["clock"].is_null()),
        (Some("measured"), false),
        "{record}"
    );
    for field in ["against", "gate", "ratio", "interval", "baseline", "p_fail", "welch", "same_code", "check"]
    {
        assert!(record[field].is_null(), "{field}: {record}");
    }
    assert!(record["candidate"]["n"].as_u64().unwrap() >= 4 * record["duos"].as_u64().unwrap(), "{record}");
    record["latency"]["ns"].as_f64().unwrap()
}

#[test]
fn every_shape_is_measured_and_has_no_share_of_alpha() {
    let line = format!("--skip refused --skip panicking --format json {QUICK}");
    let ran = run(WITHOUT_BASELINE, &line).ends_with(0);
    let records = ran.records();
    let outcomes = |outcome: &str| records.iter().filter(|record| record["outcome"] == outcome).count();
    assert_eq!((records.len(), outcomes("measured"), outcomes("ignored")), (17, 15, 1));
    let compared = records.iter().find(|record| record["name"] == "compared").unwrap();
    assert_eq!(compared["gate"]["alpha"].as_f64(), Some(0.01), "{compared}");
    let [short, long] = ["of_args/2000", "of_args/20000"].map(|name| latency(&ran, name));
    assert!(long > 3.0 * short, "{short} ns and {long} ns");
    let of = |name| records.iter().find(|record| record["name"] == name).unwrap();
    assert_eq!(
        (of("of_args/2000")["items"].as_u64(), of("by_value")["bytes"].as_u64()),
        (Some(2000), Some(800))
    );
    assert_eq!(
        (of("by_ref")["clock"].as_str(), of("on_threads/threads=2")["clock"].as_str()),
        (Some("wall"), Some("wall"))
    );
}

#[test]
fn they_are_measured_in_rounds_until_the_latency_is_known() {
    let ran = run(WITHOUT_BASELINE, "--exact plain --format json --bench").ends_with(0);
    let record = &ran.records()[0];
    assert!(latency(&ran, "plain") > 0.0);
    let rounds = record["latency"]["rounds"].as_u64().unwrap();
    assert!((5..=10).contains(&rounds), "{record}");
    let [low, high] = ["low", "high"].map(|end| record["latency"]["interval"][end].as_f64().unwrap());
    assert!(low <= latency(&ran, "plain") && latency(&ran, "plain") <= high, "{record}");
}

#[test]
fn errors_are_those_of_pairs() {
    let ran = run(WITHOUT_BASELINE, &format!("refused panicking {QUICK}")).ends_with(3).says("2 errors");
    ran.says("returned an error: 1 is too few").says("out of order");
}
