//! The published schema of the records, against those of real runs.

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::fixture::{BROKEN, GROUPS, VERDICTS, run};

fn validator() -> Validator {
    let schema: Value =
        serde_json::from_str(include_str!("../../../bench_diff_report/schema/record.schema.json")).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

fn lines(executable: &str, arguments: &str) -> Vec<Value> {
    let ran = run(executable, &format!("{arguments} --bench --format json"));
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_records_of_a_run_are_as_published() {
    let validator = validator();
    let lines = [
        lines(VERDICTS, ""),
        lines(VERDICTS, "--judge welch"),
        lines(BROKEN, ""),
        lines(GROUPS, "fast slow --max-time 100ms"),
    ];
    assert_eq!(lines.each_ref().map(Vec::len), [7, 7, 6, 5]);
    for record in lines.iter().flatten() {
        let errors: Vec<String> = validator.iter_errors(record).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}\n{record:#}");
    }
}

#[test]
fn a_record_of_another_shape_is_not() {
    let validator = validator();
    let record = lines(VERDICTS, "equal").remove(0);
    assert!(validator.is_valid(&record));
    for (field, value) in
        [("ratio", json!("1.0")), ("line", json!(null)), ("outcome", json!("passed")), ("schema", json!(1))]
    {
        let mut other = record.clone();
        other[field] = value;
        assert!(!validator.is_valid(&other), "{field}");
        other.as_object_mut().unwrap().remove(field);
        assert!(!validator.is_valid(&other), "no {field}");
    }
}
