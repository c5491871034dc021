//! Functions that return a future.

use crate::fixture::{FUTURES, run};

#[test]
fn the_output_of_a_future_is_checked() {
    let ran = run(FUTURES, "").ends_with(101).says("\ncheck: 17 equal, 3 none, 1 off\n");
    let ran = ran.says("test both ... ok").says("test only_candidate ... ok").says("test named ... ok");
    let ran = ran.says("the candidate returned an error: invalid digit found in string\n  arg:       x");
    ran.says("the outputs differ\n  candidate: 1\n  baseline:  0").says("21 passed; 2 failed;");
}

#[test]
fn a_future_is_timed_to_its_end() {
    let ran = run(FUTURES, "--format json --max-slowdown 1000000% --max-time 500ms --bench").ends_with(3);
    let records = ran.records();
    assert_eq!(records.len(), 23);
    for record in &records {
        let reason = match record["name"].as_str().unwrap() {
            "checked::result/x" => "invalid digit found in string",
            "checked::different" => "the outputs differ",
            "checked::panics_later" => "out of turns",
            // A short future is nearly all runtime, too short for a verdict.
            _ => {
                assert!(record["outcome"] == "pass" || record["outcome"] == "inconclusive", "{record}");
                continue;
            }
        };
        assert_eq!(record["outcome"], "error", "{record}");
        assert!(record["reason"].as_str().unwrap().contains(reason), "{record}");
    }
    let hidden = records.iter().find(|record| record["name"] == "hidden").unwrap();
    assert_eq!(hidden["outcome"], "pass", "{hidden}");
    let sleep = records.iter().find(|record| record["name"] == "sleep").unwrap();
    assert!(sleep["candidate"]["min"].as_f64().unwrap() >= 1e6, "{sleep}");
}
