//! A run with its page and its records.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::heard::isolate;

pub(crate) const CRITERION: &str = env!("CARGO_BIN_EXE_criterion");
pub(crate) const VERDICTS: &str = env!("CARGO_BIN_EXE_verdicts");
pub(crate) const HOSTILE_NAMES: &str = env!("CARGO_BIN_EXE_hostile_names");

/// A run in a folder of its own.
pub(crate) struct Run {
    folder: TempDir,
    /// The records of its pairs.
    pub(crate) records: Vec<Value>,
}

impl Run {
    /// Runs a fixture with these arguments and writes a page.
    pub(crate) fn new(executable: &str, arguments: &str) -> Self {
        let mut run =
            Self { folder: TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap(), records: Vec::new() };
        run.tell(executable, &format!("--bench --html page.html --json run.jsonl {arguments}"));
        let lines = fs::read_to_string(run.path("run.jsonl")).unwrap();
        let records = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        run.records = records.filter(|record| record["event"] == "pair").collect();
        run
    }

    /// Runs the fixture again in the same folder.
    pub(crate) fn tell(&self, executable: &str, arguments: &str) {
        let mut command = Command::new(executable);
        command.args(arguments.split_whitespace());
        isolate(&mut command);
        let folder = self.folder.path();
        command.env("TMPDIR", folder).env("CARGO_TARGET_DIR", folder).env("CARGO_MANIFEST_DIR", folder);
        command.env("BENCH_DIFF_LAYOUTS", "linked");
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!([Some(0), Some(101)].contains(&output.status.code()), "{:?}: {said}", output.status);
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn page(&self) -> PathBuf {
        self.path("page.html")
    }

    pub(crate) fn record(&self, name: &str) -> &Value {
        self.records.iter().find(|record| record["name"] == name).unwrap()
    }
}
