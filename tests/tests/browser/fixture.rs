//! A run with its page and its records.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::heard::isolate;

pub(crate) const CRITERION: &str = env!("CARGO_BIN_EXE_criterion");
pub(crate) const VERDICTS: &str = env!("CARGO_BIN_EXE_verdicts");
pub(crate) const HOSTILE: &str = env!("CARGO_BIN_EXE_hostile");

/// A run in a folder of its own.
pub(crate) struct Run {
    folder: TempDir,
    /// The records of its pairs.
    pub(crate) records: Vec<Value>,
}

impl Run {
    /// Runs a fixture with these arguments and writes a page.
    pub(crate) fn new(executable: &str, arguments: &str) -> Self {
        let kept = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let folder = kept.path();
        let mut command = Command::new(executable);
        command
            .args("--bench --html page.html --json run.jsonl".split(' '))
            .args(arguments.split_whitespace());
        isolate(&mut command);
        command.env("TMPDIR", folder).env("CARGO_TARGET_DIR", folder).env("CARGO_MANIFEST_DIR", folder);
        command.env("BENCH_DIFF_LAYOUTS", "linked");
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!([Some(0), Some(101)].contains(&output.status.code()), "{:?}: {said}", output.status);
        let lines = fs::read_to_string(folder.join("run.jsonl")).unwrap();
        let records = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let records = records.filter(|record| record["event"] == "pair").collect();
        Self { folder: kept, records }
    }

    pub(crate) fn page(&self) -> PathBuf {
        self.folder.path().join("page.html")
    }

    pub(crate) fn record(&self, name: &str) -> &Value {
        self.records.iter().find(|record| record["name"] == name).unwrap()
    }
}
