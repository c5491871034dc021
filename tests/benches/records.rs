//! The records of runs that print JSON.

use std::error::Error;
use std::process::Command;

use serde_json::Value;

/// The pairs of a run of this command.
pub(crate) fn records(command: &mut Command) -> Result<Vec<Value>, Box<dyn Error>> {
    let output = command.output()?;
    let text = String::from_utf8(output.stdout)?;
    let records: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
    let pairs: Vec<Value> = records?.into_iter().filter(|record: &Value| record["event"] == "pair").collect();
    match pairs.is_empty() {
        true => Err(String::from_utf8_lossy(&output.stderr).into()),
        false => Ok(pairs),
    }
}

/// The index of a pair's outcome among failed, passed and open.
pub(crate) fn place(pair: &Value) -> Result<usize, Box<dyn Error>> {
    let outcomes = ["fail", "pass", "inconclusive"];
    let place = outcomes.iter().position(|outcome| pair["outcome"] == *outcome);
    place.ok_or_else(|| format!("{}: {}", pair["name"], pair["reason"]).into())
}
