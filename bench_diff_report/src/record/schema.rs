//! The published schema, against what is written.

use std::collections::BTreeSet;

use bench_diff_core::Gate;
use bench_diff_system::json::to_string;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::{
    AllocationsRecord, AllowedRecord, Costs, Differs, Doubt, End, FunctionAllocations, GateKind, GateRecord,
    Hindrance, LayoutsRecord, Machine, Obstacle, OtherSide, Outcome, PairRecord, RunRecord, Uncompared,
};
use crate::fixture::{self, entry, planned};

const SCHEMA: &str = include_str!("../../schema/record.schema.json");

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

fn validator() -> Validator {
    jsonschema::draft202012::meta::validate(&schema()).unwrap();
    jsonschema::draft202012::new(&schema()).unwrap()
}

/// The lines of a run, whose pairs ignore a difference below this one.
fn lines_of(ignore_below: Option<f64>) -> Vec<Value> {
    let plan = planned(
        "",
        &[
            entry("slower", 1),
            entry("shared", 2).of_group("slow").gate(Gate::MaxDifference(0.02)),
            entry("broken", 3),
            entry("later", 4),
            entry("reported", 5).gate(Gate::ReportOnly),
        ],
    );
    let name = "3f2c9e1".to_owned();
    let plan = plan.against(OtherSide { name, id: Some("a".repeat(40)), ..OtherSide::default() });
    let costs = Costs { clock_reading_ns: 40, clock_resolution_ns: 1, empty_call_ns: 1.5 };
    let start = plan.started(Machine { costs: Some(costs), ..Machine::default() });
    let [slower, shared, broken, later, reported] = &plan.pairs[..] else { panic!() };
    let of_call = FunctionAllocations { calls: 1, bytes: 64, most_calls: 1, most_bytes: 64, peak: 64 };
    let allocations = AllocationsRecord { max: Some(0.0), counted: 2, candidate: of_call, baseline: of_call };
    let judged = |pair, times| fixture::judged(pair, times, ignore_below).with_allocations(Some(allocations));
    let allowed = AllowedRecord { slowdown: 0.01, by: "3f2c9e1".to_owned() };
    let gate = slower.gate.clone().map(|gate| GateRecord { allowed: Some(allowed), ..gate });
    let slower = &PairRecord { gate, ..slower.clone() };
    let pairs = [
        judged(slower, [21_000, 20_000]),
        judged(shared, [20_000; 2]),
        broken.ended(Outcome::Error, Some("out of order".to_owned())),
        later.ended(Outcome::Ignored, Some("later".to_owned())),
        fixture::judged(reported, [20_000; 2], None),
        fixture::alone().1,
        PairRecord { end: End::Unmeasured { same_code: false }, ..slower.clone() },
        PairRecord { end: End::Unmeasured { same_code: true }, ..slower.clone() },
    ];
    let outcomes: Vec<Outcome> = pairs.iter().map(PairRecord::outcome).collect();
    let mut lines: Vec<String> = pairs.iter().map(PairRecord::to_json).collect();
    lines.push(to_string(&RunRecord::of(&start, &outcomes, 1.5)));
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
    for ignore_below in [None, Some(5_000.0)] {
        let lines = lines_of(ignore_below);
        assert_eq!(lines.len(), 9);
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

/// Parts that no pair of the run has, by the names of their fields.
fn rare_parts() -> [(&'static str, Value); 3] {
    let layouts = LayoutsRecord { balanced: true, linked: Some(1.5), programs: vec![vec![0.1; 4]] };
    let (function, why) = ("f".to_owned(), "changed machine code".to_owned());
    let differs = Differs { function, baseline_bytes: 7, candidate_bytes: 8, why };
    let doubt = Doubt::of_units();
    [("layouts", to_string(&layouts)), ("differs", to_string(&differs)), ("doubt", to_string(&doubt))]
        .map(|(field, text)| (field, value(&text)))
}

#[test]
fn rare_parts_are_as_published() {
    let mut lines = lines_of(None);
    let pair = lines.iter_mut().find(|line| line["event"] == "pair" && line["name"] == "slower").unwrap();
    for (field, part) in rare_parts() {
        assert!(pair[field].is_null(), "{field} is not rare");
        pair[field] = part;
    }
    is_valid(&validator(), pair);
    let end = lines.last_mut().unwrap();
    end["against"]["hindrance"] = hindrance();
    is_valid(&validator(), end);
}

#[test]
fn every_field_is_published() {
    let schema = schema();
    let lines = lines_of(Some(5_000.0));
    let end = lines.last().unwrap();
    let named = |name: &str| lines.iter().find(|line| line["name"] == name).unwrap();
    let (pair, alone) = (named("slower"), named("alone"));
    assert_has_fields(&hindrance(), &schema["$defs"]["against"]["properties"]["hindrance"]);
    let rare = rare_parts();
    let named = [
        ("against", &end["against"]),
        ("machine", &end["machine"]),
        ("costs", &end["machine"]["costs"]),
        ("pair", pair),
        ("gate", &pair["gate"]),
        ("allowed", &pair["gate"]["allowed"]),
        ("latency", &alone["latency"]),
        ("interval", &pair["interval"]),
        ("welch", &pair["welch"]),
        ("overhead", &pair["overhead"]),
        ("summary", &pair["candidate"]),
        ("allocations", &pair["allocations"]),
        ("function_allocations", &pair["allocations"]["candidate"]),
        ("rounds", &pair["rounds"]),
        ("run", end),
        ("ignored", &pair["ignored"]),
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
        gates.map(|gate| value(&to_string(&GateKind::of(gate).unwrap().0))),
        gates.map(|gate| json!(gate.name()))
    );
}

#[test]
fn what_is_no_record_is_refused() {
    let validator = validator();
    let lines = lines_of(None);
    let measured = lines.iter().find(|line| line["name"] == "slower").unwrap();
    for record in [measured, lines.last().unwrap()] {
        for field in record.as_object().unwrap().keys() {
            let mut missing = record.clone();
            missing.as_object_mut().unwrap().remove(field);
            assert!(!validator.is_valid(&missing), "without {field}: {missing:#}");
            let mut foreign = record.clone();
            foreign[field] = json!({"foreign": true});
            assert!(!validator.is_valid(&foreign), "another {field}: {foreign:#}");
        }
    }
    for value in [json!([]), json!(null), json!({}), json!({"event": "other"})] {
        assert!(!validator.is_valid(&value), "{value}");
    }
}
