//! How the pairs of programs end: as the same machine code by proof, or by a verdict.

use std::error::Error;
use std::fmt::{self, Display};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The pairs of one run.
pub(crate) struct Ends {
    pairs: Vec<Value>,
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
        let records: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
        let pairs: Vec<Value> = records?.into_iter().filter(|record| record["event"] == "pair").collect();
        match pairs.is_empty() {
            true => Err(String::from_utf8_lossy(&output.stderr).into()),
            false => Ok(Self { pairs, elapsed }),
        }
    }
}

impl Ends {
    /// The ratio of the pair of this name.
    #[allow(dead_code, reason = "of the edits alone")]
    pub(crate) fn ratio(&self, name: &str) -> Option<f64> {
        let is_it =
            |pair: &&Value| pair["name"].as_str().and_then(|path| path.rsplit("::").next()) == Some(name);
        let pair = self.pairs.iter().find(is_it)?;
        pair["ratio"].as_f64()
    }
}

/// A table with a row for each run and one for all of them, and one of the pairs that are not the same code.
pub(crate) struct Rows {
    /// The title of the column that tells the runs apart.
    title: &'static str,
    runs: Vec<Row>,
    different: Vec<String>,
}

struct Row {
    name: String,
    /// Pairs, those that are the same code, failed, passed, and open ones.
    counts: [usize; 5],
    elapsed: Duration,
}

impl Rows {
    pub(crate) fn new(title: &'static str) -> Self {
        Self { title, runs: Vec::new(), different: Vec::new() }
    }

    pub(crate) fn add(&mut self, name: &str, Ends { pairs, elapsed }: Ends) {
        let name = name.replace('|', "\\|");
        let ends = |outcome: &str| pairs.iter().filter(|pair| pair["outcome"] == outcome).count();
        let different: Vec<&Value> = pairs.iter().filter(|pair| pair["same_code"] != true).collect();
        self.different.extend(different.iter().map(|pair| format!("| {name} | {} |", verdict(pair))));
        let same = pairs.len() - different.len();
        let open = ends("inconclusive") + ends("error");
        let counts = [pairs.len(), same, ends("fail"), ends("pass") - same, open];
        let row = Row { name, counts, elapsed };
        eprintln!("{row}");
        self.runs.push(row);
    }

    /// Adds a run that may have ended without a pair.
    #[allow(dead_code, reason = "some studies end there")]
    pub(crate) fn add_result(&mut self, name: &str, ends: Result<Ends, Box<dyn Error>>) {
        match ends {
            Ok(ends) => self.add(name, ends),
            Err(error) => self.add_error(name, &error.to_string()),
        }
    }

    fn add_error(&mut self, name: &str, error: &str) {
        let line = error.lines().find(|line| line.starts_with("error")).unwrap_or(error);
        self.different.push(format!("| {} | | {} | |", name.replace('|', "\\|"), line.replace('|', "\\|")));
    }
}

impl Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, counts: [pairs, same, failed, passed, open], elapsed } = self;
        let (share, seconds) = (100.0 * *same as f64 / (*pairs).max(1) as f64, elapsed.as_secs_f64());
        write!(
            f,
            "| {name} | {pairs} | {same} | {share:.0} % | {failed} | {passed} | {open} | {seconds:.1} |"
        )
    }
}

impl Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| {} | functions | same code | share | failed | passed | open | seconds |\n\
             |---|---|---|---|---|---|---|---|",
            self.title
        )?;
        let all = Row {
            name: "all".to_owned(),
            counts: std::array::from_fn(|index| self.runs.iter().map(|row| row.counts[index]).sum()),
            elapsed: self.runs.iter().map(|row| row.elapsed).sum(),
        };
        self.runs.iter().chain([&all]).try_for_each(|row| writeln!(f, "{row}"))?;
        writeln!(f, "\n| {} | function | verdict | where the code parts |\n|---|---|---|---|", self.title)?;
        self.different.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
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
    format!("{name} | {} | {}", verdict.trim_end().replace('|', "\\|"), parting.replace('|', "\\|"))
}
