//! Which pairs of programs are proven to be the same machine code, as their records say.

use std::error::Error;
use std::fmt::{self, Display};
use std::process::Command;

use serde_json::Value;

/// The pairs of a program.
pub(crate) struct Proven(Vec<Value>);

impl Proven {
    /// Runs this command and counts the proofs of its program, whatever its verdicts.
    pub(crate) fn of(command: &mut Command) -> Result<Self, Box<dyn Error>> {
        let output = command.args(["--bench", "--format", "json"]).output()?;
        let text = String::from_utf8(output.stdout)?;
        let records: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
        let pairs: Vec<Value> = records?.into_iter().filter(|record| record["event"] == "pair").collect();
        match pairs.is_empty() {
            true => Err(String::from_utf8_lossy(&output.stderr).into()),
            false => Ok(Self(pairs)),
        }
    }
}

/// A table of programs, and one of the pairs that are not proven.
pub(crate) struct Rows {
    /// The title of the column that tells the programs apart.
    title: &'static str,
    programs: Vec<(String, [usize; 2])>,
    partings: Vec<String>,
}

impl Rows {
    pub(crate) fn new(title: &'static str) -> Self {
        Self { title, programs: Vec::new(), partings: Vec::new() }
    }

    pub(crate) fn add(&mut self, program: &str, Proven(pairs): Proven) {
        let open: Vec<&Value> = pairs.iter().filter(|pair| pair["same_code"] != true).collect();
        self.partings.extend(open.iter().map(|pair| format!("| {program} | {} |", parting(pair))));
        let counts = [pairs.len(), pairs.len() - open.len()];
        eprintln!("{program}: {counts:?}");
        self.programs.push((program.to_owned(), counts));
    }
}

impl Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| {} | pairs | same code | share |\n|---|---|---|---|", self.title)?;
        let sum = |index: usize| self.programs.iter().map(|(_, counts)| counts[index]).sum();
        let all = ("all".to_owned(), [sum(0), sum(1)]);
        for (name, [pairs, same]) in self.programs.iter().chain([&all]) {
            writeln!(f, "| {name} | {pairs} | {same} | {:.0} % |", 100.0 * *same as f64 / *pairs as f64)?;
        }
        if !self.partings.is_empty() {
            writeln!(f, "\n| {} | pair | where the code parts |\n|---|---|---|", self.title)?;
        }
        self.partings.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

/// The name of a pair, and where the code of its functions parts, or why that is not known.
fn parting(pair: &Value) -> String {
    let differs = &pair["differs"];
    let notes = pair["notes"].as_array().into_iter().flatten().chain([&pair["reason"]]);
    let texts: Vec<&str> = notes.filter_map(Value::as_str).collect();
    let parting = match (&differs["function"], &differs["why"]) {
        (Value::String(function), Value::String(why)) => {
            format!(
                "`{function}`: {} -> {} bytes, {why}",
                differs["baseline_bytes"], differs["candidate_bytes"]
            )
        }
        _ => texts.into_iter().find(|text| text.contains("same code")).unwrap_or("unknown").to_owned(),
    };
    let name = pair["name"].as_str().and_then(|name| name.split("::").next()).unwrap_or_default();
    format!("{name} | {}", parting.replace('|', "\\|"))
}
