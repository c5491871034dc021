//! Tables of what the runs said, commit by commit.

use std::fmt::{self, Display};
use std::time::Duration;

use serde_json::Value;

use crate::history::Commit;
use crate::user_repository::Answer;

/// A row for each commit, one for all of them, and one for each function that was not passed.
#[derive(Default)]
pub(crate) struct Rows {
    commits: Vec<Row>,
    verdicts: Vec<String>,
}

struct Row {
    title: String,
    /// Functions, those that are the same code, failed, passed, and open ones.
    counts: [usize; 5],
    elapsed: Duration,
}

impl Rows {
    pub(crate) fn add(&mut self, commit: &Commit, answer: &Answer) {
        let records = String::from_utf8_lossy(&answer.output.stdout);
        let records = records.lines().filter_map(|line| serde_json::from_str(line).ok());
        let functions: Vec<Value> = records.filter(|record: &Value| record["event"] == "pair").collect();
        let title = format!("`{}` {}", commit.id, commit.subject.replace('|', "\\|"));
        if functions.is_empty() {
            let text = String::from_utf8_lossy(&answer.output.stderr);
            let error = text.lines().find(|line| line.starts_with("error")).unwrap_or("no function");
            self.verdicts.push(format!("| `{}` | | {error} | |", commit.id));
        }
        let ends = |outcome: &str| functions.iter().filter(|record| record["outcome"] == outcome).count();
        let same = functions.iter().filter(|record| record["same_code"] == true).count();
        let open = ends("inconclusive") + ends("error");
        let counts = [functions.len(), same, ends("fail"), ends("pass") - same, open];
        let row = Row { title, counts, elapsed: answer.elapsed };
        eprintln!("{row}");
        self.commits.push(row);
        let different = functions.iter().filter(|record| record["same_code"] != true);
        self.verdicts.extend(different.map(|record| verdict(commit, record)));
    }
}

impl Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [functions, same, failed, passed, open] = self.counts;
        let seconds = self.elapsed.as_secs_f64();
        write!(f, "| {} | {functions} | {same} | {failed} | {passed} | {open} | {seconds:.1} |", self.title)
    }
}

impl Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| commit | functions | same code | failed | passed | open | seconds with both builds |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|---|")?;
        let all = Row {
            title: format!("{} commits", self.commits.len()),
            counts: std::array::from_fn(|index| self.commits.iter().map(|row| row.counts[index]).sum()),
            elapsed: self.commits.iter().map(|row| row.elapsed).sum(),
        };
        self.commits.iter().chain([&all]).try_for_each(|row| writeln!(f, "{row}"))?;
        writeln!(f, "\n| commit | function | verdict, change | where the code parts |\n|---|---|---|---|")?;
        self.verdicts.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

/// The row of a function that is not the same code: its verdict, and the place where its code parts.
fn verdict(commit: &Commit, record: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().replace('|', "\\|");
    let change = record["ratio"]
        .as_f64()
        .map(|ratio| format!(", {:+.1} %", 100.0 * (ratio - 1.0)))
        .unwrap_or_default();
    let differs = &record["differs"];
    let (outcome, reason) = (text(&record["outcome"]), text(&record["reason"]));
    let (function, why) = (text(&differs["function"]), text(&differs["why"]));
    format!(
        "| `{}` | {} | {outcome}{change} {reason} | `{function}` {why} |",
        commit.id,
        text(&record["name"])
    )
}
