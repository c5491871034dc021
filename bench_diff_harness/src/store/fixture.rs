//! Stored runs for tests, as a run on a manual clock leaves them.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use super::name::Name;
use super::writer::Store;
use crate::fixture::{planned, run_pairs};
use crate::machine::Machine;
use crate::record::Chain;
use crate::register::PairEntry;
use crate::report::Sink;

/// The lines that are stored of a run of these entries under this command line.
pub(super) fn stored(line: &str, entries: &[PairEntry]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let plan = planned(line, entries);
    let folder = folder.path().join("my_package/sorting");
    let mut store = Store::in_folder(folder.clone(), Name::Alone, true).unwrap();
    run_pairs(&plan, entries, &Machine::default(), &mut |event| store.event(event).unwrap());
    let text = fs::read_to_string(folder.join("run.jsonl")).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// A line without its checksum.
pub(super) fn unsealed(line: &str) -> String {
    let rest = "0123456789abcdef\"}".len();
    match line.rsplit_once(",\"checksum\":\"").filter(|(_, end)| end.len() == rest) {
        Some((record, _)) => format!("{record}}}"),
        // Somewhere else, in a record that was written by others.
        None => match serde_json::from_str::<Map<String, Value>>(line) {
            Ok(mut fields) if fields.contains_key("checksum") => {
                fields.remove("checksum");
                serde_json::to_string(&fields).unwrap()
            }
            _ => line.to_owned(),
        },
    }
}

/// These records with the checksums that a run gives them.
pub(super) fn sealed<'a>(records: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let mut chain = Chain::default();
    let mut lines = Vec::new();
    for record in records {
        if record.contains("\"event\":\"start\"") {
            chain = Chain::default();
        }
        lines.push(chain.seal(&unsealed(record)));
        if record.contains("\"event\":\"run\"") {
            chain = Chain::default();
        }
    }
    lines
}

/// Writes lines into a file of this folder.
pub(super) fn write(folder: &Path, name: &str, lines: &[String]) {
    fs::write(folder.join(name), lines.join("\n") + "\n").unwrap();
}
