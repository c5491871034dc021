//! Damaged files: none makes a reader panic, hang, or report green for red.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config as Cases, TestRunner};
use serde_json::{Map, Value};

use super::fixture::{stored, write};
use crate::fixture::{entry, equal, panicking, slower, undecided};
use crate::fuzz::read;
use crate::system::exit::Exit;

/// The number of files that each run of the tests tries, and that of the run at night.
const SHORT: u32 = 500;
const FULL: u32 = 10_000;
const LONGEST: Duration = Duration::from_secs(60);

/// Stored runs and the output of `--json` for them: green and red, strict, killed, of two processes in one
/// file.
static CORPUS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let entries = [
        entry("equal", 1, equal).baseline("slow").slots(20),
        entry("slower", 2, slower).baseline("slow").slots(20),
        entry("open", 3, undecided).slots(20),
        entry("apart", 4, slower).max_difference(0.01).slots(20),
        entry("broken", 5, panicking),
        entry("later", 6, equal).ignore("later"),
        entry("shown", 7, equal).report_only(true).slots(20),
        entry("quick", 8, equal).judge(bench_diff_core::JudgeKind::Sequential),
    ];
    let run = |line: &str| stored(&format!("{line} --seed 8f3a"), &entries);
    let green = run("equal quick later shown");
    let red = run("");
    let without_slots = |lines: &[String]| {
        let is_wanted = |line: &&String| !line.contains("\"event\":\"round\"");
        let records = lines[1..].iter().filter(is_wanted).map(|line| {
            let mut record: Map<String, Value> = serde_json::from_str(line).unwrap();
            record.retain(|field, _| !["plan", "call_notes", "no_counts_in_old"].contains(&field.as_str()));
            serde_json::to_string(&record).unwrap()
        });
        records.collect::<Vec<_>>()
    };
    vec![
        without_slots(&green),
        without_slots(&red),
        run("equal open --strict"),
        run("quick"),
        red[..8].to_vec(),
        [green.clone(), stored("--exact slower --seed 1", &entries)].concat(),
        green,
        red,
    ]
});

/// Damage to a file of lines.
#[derive(Clone, Debug)]
enum Mutation {
    Remove(usize),
    Repeat(usize),
    Swap(usize, usize),
    /// Replaces a byte of a line.
    Byte(usize, usize, u8),
    /// Ends the file in the middle of a line.
    Cut(usize, usize),
    /// Replaces a value of a record, chosen by number.
    Replace(usize, usize, Value),
    /// Removes a field of a record, chosen by number.
    Forget(usize, usize),
}

/// Values that code may not expect.
fn odd_values() -> impl Strategy<Value = Value> {
    let texts =
        ["", "\n::add-mask::x", "\u{1b}[2J", "fail", "pass", "error", "measured", "welch", "0+1", "`|#<b>"];
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop::sample::select(vec![0_u64, 1, 2, 1 << 40, u64::MAX]).prop_map(Value::from),
        prop::sample::select(vec![-1.0, 0.0, 1e-300, 0.5, 1.0, 1e18, f64::MAX]).prop_map(Value::from),
        prop::sample::select(texts.to_vec()).prop_map(Value::from),
        Just(Value::Array(Vec::new())),
        Just(serde_json::json!({"kind": "max_slowdown", "margin": 9.0})),
    ]
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let line = || any::<usize>();
    prop_oneof![
        2 => line().prop_map(Mutation::Remove),
        1 => line().prop_map(Mutation::Repeat),
        1 => (line(), line()).prop_map(|(a, b)| Mutation::Swap(a, b)),
        2 => (line(), any::<usize>(), any::<u8>()).prop_map(|(at, byte, new)| Mutation::Byte(at, byte, new)),
        1 => (line(), any::<usize>()).prop_map(|(at, byte)| Mutation::Cut(at, byte)),
        8 => (line(), any::<usize>(), odd_values()).prop_map(|(at, field, new)| Mutation::Replace(at, field, new)),
        1 => (line(), any::<usize>()).prop_map(|(at, field)| Mutation::Forget(at, field)),
    ]
}

fn mutate(lines: &mut Vec<String>, mutation: &Mutation) {
    let Some(last) = lines.len().checked_sub(1) else { return };
    let at = |line: usize| line % (last + 1);
    match *mutation {
        Mutation::Remove(line) => drop(lines.remove(at(line))),
        Mutation::Repeat(line) => lines.insert(at(line), lines[at(line)].clone()),
        Mutation::Swap(a, b) => lines.swap(at(a), at(b)),
        Mutation::Byte(line, byte, new) => {
            let mut bytes = lines[at(line)].clone().into_bytes();
            let place = byte % bytes.len().max(1);
            bytes.splice(place..bytes.len().min(place + 1), [new]);
            lines[at(line)] = String::from_utf8_lossy(&bytes).replace('\n', " ");
        }
        Mutation::Cut(line, byte) => {
            let cut = lines[at(line)]
                .char_indices()
                .map(|(index, _)| index)
                .nth(byte % lines[at(line)].len().max(1));
            let shorter = lines[at(line)][..cut.unwrap_or(0)].to_owned();
            lines.truncate(at(line));
            lines.push(shorter);
        }
        Mutation::Replace(line, field, ref new) => change_json(&mut lines[at(line)], field, Some(new)),
        Mutation::Forget(line, field) => change_json(&mut lines[at(line)], field, None),
    }
}

/// Replaces or removes the value of this number among all values of a record, in the order of the text.
fn change_json(line: &mut String, number: usize, new: Option<&Value>) {
    let Ok(mut record) = serde_json::from_str::<Value>(line) else { return };
    let places = places(&record);
    let Some(place) = places.get(number % places.len().max(1)) else { return };
    let (parent, key) = place.rsplit_once('/').unwrap();
    match (new, record.pointer_mut(parent)) {
        (None, Some(Value::Object(fields))) => drop(fields.remove(key)),
        _ => *record.pointer_mut(place).unwrap() = new.cloned().unwrap_or_default(),
    }
    *line = record.to_string();
}

/// JSON pointers to every value in an object or a list; for a list, only to the first few.
pub(super) fn places(value: &Value) -> Vec<String> {
    const FEW: usize = 3;

    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(list) => {
            (0..).zip(list).take(FEW).map(|(at, value): (usize, _)| (at.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    let mut all = Vec::new();
    for (key, value) in inner {
        all.push(format!("/{key}"));
        all.extend(places(value).into_iter().map(|place| format!("/{key}{place}")));
    }
    all
}

/// Returns whether a person who reads a file of records line by line would call it red.
fn is_red(lines: &[String]) -> bool {
    let Ok(records) = lines.iter().map(|line| serde_json::from_str(line)).collect::<Result<Vec<Value>, _>>()
    else {
        return true;
    };
    let strict = records.iter().any(|record| record["strict"] == true);
    let is_bad = |record: &Value| {
        let outcome = record["outcome"].as_str().unwrap_or_default();
        ["fail", "error"].contains(&outcome)
            || (strict && outcome == "inconclusive")
            || ["failed", "errors"].iter().any(|count| record[*count].as_u64().is_some_and(|count| count > 0))
    };
    records.iter().any(is_bad) || records.last().is_none_or(|last| last["event"] != "run")
}

fn survives(lines: &[String]) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "run.jsonl", lines);
    for flag in ["--replay", "--merge"] {
        let start = Instant::now();
        let read =
            panic::catch_unwind(AssertUnwindSafe(|| read(flag, &["--format", "terse"], folder.path())));
        let Ok((exit, out)) = read else { return Err(TestCaseError::fail(format!("{flag} panics"))) };
        prop_assert!(start.elapsed() < LONGEST, "{flag} takes {:?}", start.elapsed());
        prop_assert!(exit != Exit::Success || !is_red(lines), "{flag} is green of what is red:\n{out}");
    }
    Ok(())
}

#[test]
fn files_that_went_wrong() {
    try_files(SHORT);
}

mod in_full {
    use super::*;

    #[test]
    #[ignore = "half a minute"]
    fn files_that_went_wrong() {
        try_files(FULL);
    }
}

fn try_files(cases: u32) {
    let mut runner = TestRunner::new(Cases { cases, failure_persistence: None, ..Cases::default() });
    let strategy = (any::<usize>(), prop::collection::vec(mutation(), 1..4));
    let ended = runner.run(&strategy, |(file, mutations)| {
        let mut lines = CORPUS[file % CORPUS.len()].clone();
        mutations.iter().for_each(|mutation| mutate(&mut lines, mutation));
        survives(&lines)
    });
    if let Err(error) = ended {
        panic!("{error}");
    }
}

#[test]
fn what_did_not_go_wrong_is_as_green_as_it_was() {
    let greens = CORPUS.iter().filter(|lines| !is_red(lines));
    let mut count = 0;
    for lines in greens {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "run.jsonl", lines);
        // The output of `--json` has no slots to judge again.
        let flags: &[&str] =
            if lines[0].contains("\"start\"") { &["--replay", "--merge"] } else { &["--merge"] };
        for flag in flags {
            let (exit, out) = read(flag, &["--format", "terse"], folder.path());
            assert_eq!(exit, Exit::Success, "{flag}: {out}");
            count += 1;
        }
    }
    assert!(count >= 5, "{count}");
}

/// The stored inputs of the fuzz targets for files of records begin with these.
#[test]
fn what_is_stored_for_fuzzing_reads_as_its_name_says() {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for target in ["records", "replay", "merge"] {
        let folder = targets.join(target);
        for (number, lines) in CORPUS.iter().enumerate() {
            let color = if is_red(lines) { "red" } else { "green" };
            let path = folder.join(format!("{color}_{number}.jsonl"));
            if std::env::var_os("UPDATE_EXPECTED").is_some() {
                fs::create_dir_all(&folder).unwrap();
                fs::write(&path, lines.join("\n") + "\n").unwrap();
            }
            let kept = tempfile::tempdir().unwrap();
            fs::copy(&path, kept.path().join("run.jsonl")).unwrap();
            let (exit, out) = read("--merge", &["--format", "terse"], kept.path());
            assert_eq!(exit == Exit::Success, color == "green", "{}: {out}", path.display());
        }
    }
}
