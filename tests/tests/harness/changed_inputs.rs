//! Two programs whose functions work on other inputs. What differs does so fourfold, and the margin is wide.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::fixture::{CHANGED_INPUTS_NOW, CHANGED_INPUTS_OLD, Ran, run};

fn against(filter: &str) -> Ran {
    let line =
        format!("--bench --against {CHANGED_INPUTS_OLD} --max-slowdown 100% --warmup 0ms --format json");
    run(CHANGED_INPUTS_NOW, &format!("{line} {filter}"))
}

/// The outcome of each function.
fn outcomes(ran: &Ran) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    ran.records().iter().map(|record| (text(&record["name"]), text(&record["outcome"]))).collect()
}

fn expected(outcomes: &[(&str, &str)]) -> BTreeMap<String, String> {
    outcomes.iter().map(|(name, outcome)| (format!("benches::{name}"), (*outcome).to_owned())).collect()
}

fn new_in(ran: &Ran) -> Value {
    let run: Value = serde_json::from_str(ran.stdout.lines().last().unwrap()).unwrap();
    run["against"]["new"].clone()
}

#[test]
fn args_with_one_beginning_are_compared_with_themselves() {
    let ran = against("::long_args").ends_with(0);
    let dashes = "-".repeat(55);
    let [two, eight] = ["b794d500", "b9c33794"].map(|digest| format!("long_args/{dashes}~{digest}"));
    assert_eq!(outcomes(&ran), expected(&[(&two, "pass"), (&eight, "pass")]));
    assert_eq!(new_in(&ran), serde_json::json!([format!("benches::long_args/{dashes}~82d1bddb")]));
}

#[test]
fn args_of_one_name_are_compared_with_their_equals() {
    let ran = against("of_twins").ends_with(101);
    let [same, slower] = ["of_twins", "slower_of_twins"].map(|name| {
        let number = |number: u32| format!("{name}/twin#{number}");
        [number(2), number(3)]
    });
    let expected =
        expected(&[(&same[0], "pass"), (&same[1], "pass"), (&slower[0], "fail"), (&slower[1], "fail")]);
    assert_eq!(outcomes(&ran), expected);
    assert_eq!(new_in(&ran), serde_json::json!(["benches::of_twins/twin", "benches::slower_of_twins/twin"]));
}

#[test]
fn args_that_nothing_tells_apart_are_not_compared() {
    let ran = against("of_silent").ends_with(0);
    assert_eq!(outcomes(&ran), BTreeMap::new());
    let silent = "benches::of_silent/silent";
    ran.complains(&format!(
        "not compared: {silent}, {silent}#2, {silent}#3: several args have the same name, and the old revision has them \
         in another number or order\n"
    ));
}

#[test]
fn a_benchmark_with_other_inputs_does_not_fail() {
    let ran = against("of_args of_setup of_state").ends_with(0);
    let records = ran.records();
    for (name, cause) in [
        ("of_args/longer", "the arg of this name has a different value; "),
        ("of_setup", "`setup` makes a different input; "),
        ("of_state", "`setup_once` makes a different state; "),
    ] {
        let record = records.iter().find(|record| record["name"] == format!("benches::{name}")).unwrap();
        let reason = record["reason"].as_str().unwrap();
        assert_eq!(record["outcome"], "inconclusive", "{record}");
        assert!(reason.starts_with(&format!("the benchmark itself has changed: {cause}")), "{reason}");
    }
    assert_eq!(records.len(), 3);
    against("of_args of_setup of_state --strict").ends_with(101);
    let judged = against("of_args of_setup of_state --against-changed judge").ends_with(101);
    assert!(outcomes(&judged).values().all(|outcome| outcome == "fail"), "{}", judged.stdout);
}

#[test]
fn a_slower_function_fails_unless_its_input_is_known_to_be_another() {
    let ran = against("slower_of_equal slower_of_random slower_of_hidden of_same_work").ends_with(101);
    let names = ["slower_of_equal/longer", "slower_of_random", "slower_of_hidden", "of_same_work"];
    assert_eq!(outcomes(&ran), expected(&names.map(|name| (name, "fail"))));
}

#[test]
fn a_setup_that_fails_today_is_an_error() {
    let ran = against("of_panicking of_setup").ends_with(3);
    let expected = expected(&[("of_panicking", "error"), ("of_setup", "inconclusive")]);
    assert_eq!(outcomes(&ran), expected);
    assert!(!ran.stdout.contains("has no pair of this name"), "{}", ran.stdout);
}
