//! A table in GitHub's markdown, then the pairs that did not pass, with the reasons.

use crate::record::{Outcome, PairRecord};
use crate::sink::WholeRun;
use crate::text::pair::PairText;
use crate::text::table::{self, Align, TableKind};
use crate::text::{explain, overall};

/// The document.
pub(crate) fn document(run: &WholeRun) -> String {
    format!("{}{}{}{}\n", head(run), table(run), wrong(run), tail(run))
}

fn head(run: &WholeRun) -> String {
    let title = code(&run.title());
    let mut head = format!("### {title}\n\n**{}**\n", run.counts());
    for line in overall::found(&run.start).iter().chain(&overall::matched(&run.start)) {
        head += &format!("\n{}\n", code(line));
    }
    head
}

/// The titles, then the rows, those of a group together.
fn table(run: &WholeRun) -> String {
    let has_row = |pair: &&PairRecord| !overall::is_left_out(&run.start, pair);
    let pairs: Vec<PairRecord> = run.pairs.iter().filter(has_row).cloned().collect();
    if pairs.is_empty() {
        return String::new();
    }
    let kind = TableKind::of(&run.start);
    let aligned = kind.columns().iter().map(|(_, _, align)| *align);
    let mut columns: Vec<(String, Align)> = kind.titles(&run.start).into_iter().zip(aligned).collect();
    let has_throughput = pairs.iter().any(|pair| explain::rates(pair, usize::MAX).is_some());
    if has_throughput {
        columns.push(("throughput".to_owned(), Align::Left));
    }
    let (mut titles, mut rules) = (String::new(), String::new());
    for (title, align) in &columns {
        titles += &format!(" {} |", cell(title));
        rules += match align {
            Align::Left => " --- |",
            Align::Right => " ---: |",
        };
    }
    let name = overall::subject(&run.start);
    let mut table = format!("\n| {name} |{titles}\n| --- |{rules}\n");
    let is_one_group = |one: &PairRecord, next: &PairRecord| one.group.is_some() && one.group == next.group;
    for together in pairs.chunk_by(is_one_group) {
        let lines = table::fastest_first(together).into_iter().map(|pair| line(run, pair, has_throughput));
        table.extend(lines);
    }
    table
}

fn line(run: &WholeRun, pair: &PairRecord, has_throughput: bool) -> String {
    let kind = TableKind::of(&run.start);
    let mut cells = kind.cells(pair);
    let word = &mut cells[kind.of_outcome()];
    *word = word.replace('<', "&lt;");
    match (pair.outcome(), explain::cause(pair)) {
        (Outcome::Fail | Outcome::Error, _) => *word = format!("**{word}**"),
        // Nothing else explains it.
        (Outcome::Ignored, Some(why)) => *word += &format!(": {}", cell(&code(&why))),
        (Outcome::Pass, _) => {
            let allowed = PairText::of(pair).and_then(PairText::allowed);
            let remarks = allowed.into_iter().chain(pair.unchecked().cloned());
            word.extend(remarks.map(|remark| format!(": {}", cell(&code(&remark)))));
        }
        _ => {}
    }
    if has_throughput {
        cells.push(explain::rates(pair, usize::MAX).unwrap_or_default());
    }
    let baseline = pair.against.as_ref().filter(|_| run.start.against.is_none());
    let baseline = baseline.map(|name| format!(" against {}", cell(&code(name)))).unwrap_or_default();
    let name = cell(&code(&pair.name)) + &baseline;
    let cells: String = cells.iter().map(|cell| format!(" {cell} |")).collect();
    format!("| {name} |{cells}\n")
}

/// The pairs that did not pass, each with the command that repeats it.
fn wrong(run: &WholeRun) -> String {
    let mut wrong = String::new();
    for outcome in Outcome::SHOWN_AT_THE_END {
        let pairs = run.pairs.iter().filter(|pair| pair.outcome() == outcome);
        wrong.extend(pairs.map(|pair| reason(pair, run.start.strict)));
    }
    wrong
}

fn reason(pair: &PairRecord, strict: bool) -> String {
    let title = pair.outcome().predicate();
    let (location, lines) = explain::explanation(pair, strict, false);
    let [why, repeat] = [block("text", &lines.join("\n")), block("sh", &pair.repeat)];
    format!("\n#### {} {title} ({})\n\n{why}\n{repeat}", code(&pair.name), code(&location))
}

fn tail(run: &WholeRun) -> String {
    // The name of a processor is foreign text.
    let facts: Vec<String> = run.facts().iter().chain(&run.unjudged()).map(|fact| code(fact)).collect();
    if facts.is_empty() { String::new() } else { format!("\n{}\n", facts.join("; ")) }
}

/// A text without markup: a code span, between more backticks than the text has in a row.
fn code(text: &str) -> String {
    let text = text.replace("\n", " ").replace("\t", " ");
    let fence = "`".repeat(longest_run(&text) + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// Escapes the text of a cell, which a bar would end even in a code span.
fn cell(text: &str) -> String {
    text.replace("|", r"\|")
}

fn block(language: &str, text: &str) -> String {
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}
