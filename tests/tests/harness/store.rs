//! Runs are stored, judged again and joined.

mod merge;
mod replay;
mod stored;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::fixture::{Ran, command, temporary_folder};

/// A target directory, and the runs that are stored in it.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(temporary_folder())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// A path in it, as an argument.
    fn file(&self, name: &str) -> String {
        self.path().join(name).display().to_string()
    }

    fn run(&self, executable: &str, arguments: &str) -> Ran {
        self.run_in(executable, arguments, &[])
    }

    fn run_in(&self, executable: &str, arguments: &str, environment: &[(&str, &str)]) -> Ran {
        let mut command = command(executable, arguments, self.path());
        Ran::from(command.envs(environment.iter().copied()).output().unwrap())
    }

    /// What is stored of a bench of the tests.
    fn folder(&self, bench: &str) -> PathBuf {
        self.path().join("bench_diff/bench_diff_tests").join(bench)
    }

    fn stored(&self, bench: &str) -> PathBuf {
        self.folder(bench).join("run.jsonl")
    }

    /// What is stored of the fixture `verdicts`.
    fn verdicts(&self) -> PathBuf {
        self.stored("verdicts")
    }

    /// The command line that judges it again.
    fn replay(&self, arguments: &str) -> String {
        format!("--replay {} {arguments}", self.verdicts().display())
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
