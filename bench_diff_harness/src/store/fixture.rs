//! Stored runs for tests, as a run on a manual clock leaves them.

use std::fs;
use std::path::Path;

use super::name::Name;
use super::writer::Store;
use crate::fixture::{planned, run_pairs};
use crate::machine::Machine;
use crate::plan::RunPlan;
use crate::register::PairEntry;
use crate::report::Sink;

/// The lines that are stored of a run of these entries under this command line.
pub(super) fn stored(line: &str, entries: &[PairEntry]) -> Vec<String> {
    stored_of(&planned(line, entries), entries)
}

/// The lines that are stored of a run of these entries under this plan.
pub(super) fn stored_of(plan: &RunPlan, entries: &[PairEntry]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("my_package/sorting");
    let mut store = Store::in_folder(folder.clone(), Name::alone(), true).unwrap();
    run_pairs(plan, entries, &Machine::default(), &mut |event| store.event(event).unwrap());
    let text = fs::read_to_string(folder.join("run.jsonl")).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Writes lines into a file of this folder.
pub(super) fn write(folder: &Path, name: &str, lines: &[String]) {
    fs::write(folder.join(name), lines.join("\n") + "\n").unwrap();
}
