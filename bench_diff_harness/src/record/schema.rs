//! The published schema, against what is written.

use std::collections::BTreeSet;

use bench_diff_core::Gate;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::{GateKind, LayoutsRecord, Outcome, StoredPair};
use crate::fixture::{
    Allocator, allocating, entry, entry_alone, equal, panicking, planned, run_pairs, slower,
};
use crate::machine::{Costs, Machine};
use crate::plan::{Differs, Hindrance, Obstacle, OtherSide, RunPlan, Uncompared};
use crate::record::Event;
use crate::record::json::to_string;

const SCHEMA: &str = include_str!("../../schema/record.schema.json");

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

fn validator() -> Validator {
    jsonschema::draft202012::meta::validate(&schema()).unwrap();
    jsonschema::draft202012::new(&schema()).unwrap()
}

/// The lines of a stored run.
fn stored(line: &str) -> Vec<Value> {
    let entries = [
        entry("slower", 1, slower),
        entry("allocating", 6, allocating).max_allocations(0.0),
        entry("shared", 2, equal).baseline("slow").max_difference(0.02),
        entry("broken", 3, panicking),
        entry("later", 4, equal).ignore("later"),
        entry("reported", 5, equal).report_only(true),
        entry_alone("alone", 7),
    ];
    let _allocator = Allocator::new();
    let name = "3f2c9e1".to_owned();
    let against = Some(OtherSide { name, id: Some("a".repeat(40)), ..OtherSide::default() });
    let plan = RunPlan { against, ..planned(line, &entries) };
    let costs = Costs { clock_reading_ns: 40, clock_resolution_ns: 1, empty_call_ns: 1.5 };
    let machine = Machine { costs: Some(costs), ..Machine::default() };
    let mut lines = Vec::new();
    run_pairs(&plan, &entries, &machine, &mut |event| match event {
        Event::RunStarted(start) => lines.push(to_string(*start)),
        Event::RoundMeasured(round) => lines.push(to_string(*round)),
        Event::PairFinished { record, measured } => {
            lines.push(StoredPair::new((*record).clone(), *measured).to_json());
            lines.push(record.to_json());
        }
        Event::RunFinished(end) => lines.push(to_string(*end)),
        Event::RoundStarted { .. } | Event::PairStarted { .. } => {}
    });
    lines.iter().map(|line| value(line)).collect()
}

fn value(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

#[track_caller]
fn is_valid(validator: &Validator, record: &Value) {
    let errors: Vec<String> =
        validator.iter_errors(record).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{record:#}");
}

#[test]
fn every_line_is_as_published() {
    let validator = validator();
    for line in ["--judge sequential --max-slowdown 7%", "--ignore-below 5us"] {
        let lines = stored(line);
        let rounds = lines.iter().filter(|line| line["event"] == "round").count();
        assert_eq!(lines.len(), 16 + rounds, "of the others two lines for each pair");
        assert!(rounds >= 3, "{rounds}");
        for record in &lines {
            is_valid(&validator, record);
        }
    }
}

/// Fails unless this object has the fields of its schema and no others.
#[track_caller]
fn assert_has_fields(written: &Value, schema: &Value) {
    let names = |object: &Value| object.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(written), names(&schema["properties"]), "{}", schema["description"]);
}

/// The hindrance of a run whose functions are mostly unproven.
fn hindrance() -> Value {
    let why = "calls `f`".to_owned();
    value(&to_string(&Hindrance { obstacle: Obstacle::Call, why, functions: 2 }))
}

/// Parts that no pair of the stored run has, by the names of their fields.
fn rare_parts() -> [(&'static str, Value); 2] {
    let layouts = LayoutsRecord { balanced: true, linked: Some(1.5), programs: vec![vec![0.1; 4]] };
    let (function, why) = ("f".to_owned(), "changed machine code".to_owned());
    let differs = Differs { function, baseline_bytes: 7, candidate_bytes: 8, why };
    [("layouts", to_string(&layouts)), ("differs", to_string(&differs))]
        .map(|(field, text)| (field, value(&text)))
}

#[test]
fn rare_parts_are_as_published() {
    let mut lines = stored("");
    let pair = lines.iter_mut().find(|line| line["event"] == "pair" && line["name"] == "slower").unwrap();
    for (field, part) in rare_parts() {
        assert!(pair[field].is_null(), "{field} is not rare");
        pair[field] = part;
    }
    is_valid(&validator(), pair);
    lines[0]["against"]["hindrance"] = hindrance();
    is_valid(&validator(), &lines[0]);
}

#[test]
fn every_field_is_published() {
    let schema = schema();
    let lines = stored("--judge sequential --ignore-below 5us");
    let (start, end) = (&lines[0], &lines[lines.len() - 1]);
    let named =
        |event: &str| lines.iter().find(|line| line["event"] == event && line["name"] == "slower").unwrap();
    let (round, stored) = (named("round"), named("pair"));
    let alone = lines.iter().find(|line| line["event"] == "pair" && line["name"] == "alone").unwrap();
    assert_has_fields(&hindrance(), &schema["$defs"]["against"]["properties"]["hindrance"]);
    let rare = rare_parts();
    let named = [
        ("start", start),
        ("against", &start["against"]),
        ("machine", &start["machine"]),
        ("costs", &start["machine"]["costs"]),
        ("pair", stored),
        ("gate", &stored["gate"]),
        ("latency", &alone["latency"]),
        ("interval", &stored["interval"]),
        ("welch", &stored["welch"]),
        ("overhead", &stored["overhead"]),
        ("summary", &stored["candidate"]),
        ("allocations", &stored["allocations"]),
        ("function_allocations", &stored["allocations"]["candidate"]),
        ("plan", &stored["plan"]),
        ("rounds", &stored["rounds"]),
        ("round", round),
        ("raw", &round["processes"][0]),
        ("duos", &round["processes"][0]["duos"]),
        ("run", end),
        ("ignored", &stored["ignored"]),
    ];
    assert_eq!(named.len() + rare.len(), schema["$defs"].as_object().unwrap().len());
    for (name, value) in named.into_iter().chain(rare.iter().map(|(name, value)| (*name, value))) {
        assert_has_fields(value, &schema["$defs"][name]);
    }
}

#[test]
fn the_words_are_those_that_reports_use() {
    let schema = schema();
    let published = |name: &str, field: &str| schema["$defs"][name]["properties"][field]["enum"].clone();
    let outcomes = [
        Outcome::Pass,
        Outcome::Fail,
        Outcome::Inconclusive,
        Outcome::Error,
        Outcome::Ignored,
        Outcome::Measured,
    ];
    assert_eq!(published("pair", "outcome"), json!(outcomes.map(Outcome::name)));
    assert_eq!(
        outcomes.map(|outcome| value(&to_string(&outcome))),
        outcomes.map(|outcome| json!(outcome.name()))
    );
    let uncompared = [
        Uncompared::NoPackage,
        Uncompared::NoBench,
        Uncompared::NewBench,
        Uncompared::Uncompilable,
        Uncompared::OtherHarness,
        Uncompared::NotListed,
        Uncompared::NoFunction,
    ];
    let mut words: Vec<Value> = uncompared.map(|why| json!(why.name())).into();
    words.push(Value::Null);
    assert_eq!(published("against", "uncompared"), json!(words));
    let gates = [Gate::MaxSlowdown(0.02), Gate::MinSpeedup(1.5), Gate::MaxDifference(0.02)];
    assert_eq!(published("gate", "kind"), json!(gates.map(Gate::name)));
    assert_eq!(
        gates.map(|gate| value(&to_string(&GateKind::of(gate)))),
        gates.map(|gate| json!(gate.name()))
    );
}

#[test]
fn a_record_of_several_runs_has_all_their_seeds() {
    let validator = validator();
    let mut record = stored("").swap_remove(2);
    for (seed, is_seed) in [("0123456789abcdef+fedcba9876543210", true), ("0123456789abcdef+", false)] {
        record["seed"] = json!(seed);
        assert_eq!(validator.is_valid(&record), is_seed, "{seed}");
    }
}

#[test]
fn what_is_no_record_is_refused() {
    let validator = validator();
    let lines = stored("");
    let last = |event: &str| lines.iter().rfind(|line| line["event"] == event).unwrap();
    let measured = lines.iter().find(|line| line["event"] == "pair" && !line["plan"].is_null()).unwrap();
    for record in [&lines[0], last("round"), measured, last("run")] {
        for field in record.as_object().unwrap().keys() {
            let mut missing = record.clone();
            missing.as_object_mut().unwrap().remove(field);
            // How it was measured is in stored records only.
            let optional = ["plan", "call_notes", "no_counts_in_old"].contains(&field.as_str());
            assert_eq!(validator.is_valid(&missing), optional, "without {field}: {missing:#}");
            let mut foreign = record.clone();
            foreign[field] = json!({"foreign": true});
            assert!(!validator.is_valid(&foreign), "another {field}: {foreign:#}");
        }
    }
    for value in [json!([]), json!(null), json!({}), json!({"event": "other"})] {
        assert!(!validator.is_valid(&value), "{value}");
    }
}
