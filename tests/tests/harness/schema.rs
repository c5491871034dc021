//! The published schema of the records, against those of real runs.

use serde_json::Value;

use crate::fixture::{BROKEN, GROUPS, VERDICTS, run};

fn lines(executable: &str, arguments: &str) -> Vec<Value> {
    run(executable, &format!("{arguments} --bench --format json")).lines()
}

#[test]
fn the_records_of_a_run_are_as_published() {
    let schema = include_str!("../../../bench_diff_report/schema/record.schema.json");
    let validator = jsonschema::draft202012::new(&serde_json::from_str(schema).unwrap()).unwrap();
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
