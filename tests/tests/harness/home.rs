//! A separate target directory for a test, where the builds of its runs are kept.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::fixture::{Ran, command, temporary_folder};

/// A target directory, and the files of runs in it.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        Self(temporary_folder())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// A path in it, as an argument.
    pub(crate) fn file(&self, name: &str) -> String {
        self.path().join(name).display().to_string()
    }

    pub(crate) fn run_in(&self, executable: &str, arguments: &str, environment: &[(&str, &str)]) -> Ran {
        let mut command = command(executable, arguments, self.path());
        Ran::from(command.envs(environment.iter().copied()).output().unwrap())
    }

    /// What is kept for a bench of the tests.
    pub(crate) fn folder(&self, bench: &str) -> PathBuf {
        self.path().join("bench_diff/bench_diff_tests").join(bench)
    }
}
