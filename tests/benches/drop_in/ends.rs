//! How the benchmarks of a run end: as the same machine code by proof, or by a verdict.

use std::error::Error;
use std::fmt::{self, Display};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The benchmarks of one run.
pub(crate) struct Ends {
    pairs: Vec<Value>,
    /// Whether the older revision ran its own benches, perhaps because today's did not build there.
    has_own_benches: bool,
    /// All that the user waits for.
    elapsed: Duration,
}

impl Ends {
    /// Runs this command, which prints records, whatever its verdicts.
    pub(crate) fn of(command: &mut Command) -> Result<Self, Box<dyn Error>> {
        let start = Instant::now();
        let output = command.output()?;
        let elapsed = start.elapsed();
        let text = String::from_utf8(output.stdout)?;
        let messages = String::from_utf8_lossy(&output.stderr);
        let records: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
        let pairs: Vec<Value> = records?.into_iter().filter(|record| record["event"] == "pair").collect();
        if pairs.is_empty() {
            return Err(messages.into());
        }
        let has_own_benches = command.get_args().any(|argument| argument == "own")
            || [&text, &*messages].iter().any(|text| text.contains("benchmarks do not build in"));
        Ok(Self { pairs, has_own_benches, elapsed })
    }

    /// The ratio of the benchmark of this name.
    pub(crate) fn ratio(&self, name: &str) -> Option<f64> {
        let last_part =
            |pair: &Value| pair["name"].as_str().and_then(|path| path.rsplit("::").next()) == Some(name);
        self.pairs.iter().find(|pair| last_part(pair))?["ratio"].as_f64()
    }
}

/// A table with a row for each run and one for all of them, and one of the benchmarks that are not the same code.
#[derive(Default)]
pub(crate) struct Rows {
    runs: Vec<Row>,
    different: Vec<String>,
}

struct Row {
    name: String,
    benches: String,
    /// Benchmarks, those that are the same code, failed, passed, and open ones.
    counts: [usize; 5],
    elapsed: Duration,
}

impl Rows {
    /// Adds a run, which may have compared nothing.
    pub(crate) fn add(&mut self, name: &str, ends: Result<Ends, Box<dyn Error>>) {
        let name = escaped(name);
        let row = match ends {
            Err(error) => {
                let error = error.to_string();
                let line = error.lines().find(|line| line.starts_with("error")).unwrap_or(&error);
                self.different.push(format!("| {name} | | {} | |", escaped(line)));
                Row { name, benches: "none".to_owned(), counts: [0; 5], elapsed: Duration::ZERO }
            }
            Ok(Ends { pairs, has_own_benches, elapsed }) => {
                let ends = |outcome: &str| pairs.iter().filter(|pair| pair["outcome"] == outcome).count();
                let different: Vec<&Value> = pairs.iter().filter(|pair| pair["same_code"] != true).collect();
                self.different.extend(different.iter().map(|pair| format!("| {name} | {} |", verdict(pair))));
                let same = pairs.len() - different.len();
                let open = ends("inconclusive") + ends("error");
                let counts = [pairs.len(), same, ends("fail"), ends("pass") - same, open];
                let benches = if has_own_benches { "its own" } else { "today's" }.to_owned();
                Row { name, benches, counts, elapsed }
            }
        };
        eprintln!("{row}");
        self.runs.push(row);
    }
}

impl Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, benches, counts: [all, same, failed, passed, open], elapsed } = self;
        let seconds = elapsed.as_secs_f64();
        write!(f, "| {name} | {benches} | {all} | {same} | {failed} | {passed} | {open} | {seconds:.1} |")
    }
}

impl Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| comparison | benches | benchmarks | same code | failed | passed | open | seconds |\n\
             |---|---|---|---|---|---|---|---|"
        )?;
        self.runs.iter().try_for_each(|row| writeln!(f, "{row}"))?;
        let ran = |benches: &str| self.runs.iter().filter(|row| row.benches == benches).count();
        let all = Row {
            name: "all".to_owned(),
            benches: format!("{} today's, {} its own, {} none", ran("today's"), ran("its own"), ran("none")),
            counts: std::array::from_fn(|index| self.runs.iter().map(|row| row.counts[index]).sum()),
            elapsed: self.runs.iter().map(|row| row.elapsed).sum(),
        };
        writeln!(
            f,
            "{all}\n\n| comparison | benchmark | verdict | where the code parts |\n|---|---|---|---|"
        )?;
        self.different.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

/// A text in a cell of a table.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The cells of a pair that is not the same code: its name, its verdict, and where its code parts or why that is
/// not known.
fn verdict(pair: &Value) -> String {
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
    let text = |key: &str| pair[key].as_str().unwrap_or_default();
    let name = text("name").split("::").next().unwrap_or_default();
    let change = pair["ratio"].as_f64().map(|ratio| format!(" {:+.1} %", 100.0 * (ratio - 1.0)));
    let verdict = format!("{}{} {}", text("outcome"), change.unwrap_or_default(), text("reason"));
    format!("{name} | {} | {}", escaped(verdict.trim_end()), escaped(&parting))
}
