//! Runs a fixture and reads what it said.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::heard::isolate;
pub(crate) use crate::common::ran::{Ran, temporary_folder};

pub(crate) const ALLOCATIONS: &str = env!("CARGO_BIN_EXE_allocations");
/// The executable of the fixture `verdicts`.
pub(crate) const VERDICTS: &str = env!("CARGO_BIN_EXE_verdicts");
pub(crate) const BROKEN: &str = env!("CARGO_BIN_EXE_broken");
pub(crate) const CRITERION: &str = env!("CARGO_BIN_EXE_criterion");
pub(crate) const CRITERION_BY_HAND: &str = env!("CARGO_BIN_EXE_criterion_by_hand");
pub(crate) const CRITERION_NOTHING: &str = env!("CARGO_BIN_EXE_criterion_nothing");
pub(crate) const NOTHING: &str = env!("CARGO_BIN_EXE_nothing");
pub(crate) const DIVAN: &str = env!("CARGO_BIN_EXE_divan");
pub(crate) const DIVAN_NOTHING: &str = env!("CARGO_BIN_EXE_divan_nothing");
pub(crate) const FAULTS: &str = env!("CARGO_BIN_EXE_faults");
pub(crate) const HOSTILE: &str = env!("CARGO_BIN_EXE_hostile");
pub(crate) const FUTURES: &str = env!("CARGO_BIN_EXE_futures");
pub(crate) const INPUTS: &str = env!("CARGO_BIN_EXE_inputs");
pub(crate) const WIDE: &str = env!("CARGO_BIN_EXE_wide");
pub(crate) const WITHOUT_BASELINE: &str = env!("CARGO_BIN_EXE_without_baseline");
pub(crate) const WORK: &str = env!("CARGO_BIN_EXE_work");
pub(crate) const WRONG: &str = env!("CARGO_BIN_EXE_wrong");
#[cfg(target_os = "linux")]
pub(crate) const TEN_THOUSAND_ARGS: &str = env!("CARGO_BIN_EXE_ten_thousand_args");
#[cfg(target_os = "linux")]
pub(crate) const HUNDRED_ATTRIBUTES: &str = env!("CARGO_BIN_EXE_hundred_attributes");
pub(crate) const THREADS: &str = env!("CARGO_BIN_EXE_threads");
pub(crate) const LASTING: &str = env!("CARGO_BIN_EXE_lasting");
pub(crate) const PLACES: &str = env!("CARGO_BIN_EXE_places");
pub(crate) const PROOFS: &str = env!("CARGO_BIN_EXE_proofs");
pub(crate) const MEDDLING_ARGS: &str = env!("CARGO_BIN_EXE_meddling_args");
#[cfg(target_os = "linux")]
pub(crate) const SABOTEURS: &str = env!("CARGO_BIN_EXE_saboteurs");

/// Runs a fixture with these arguments, away from the settings of whoever runs the tests.
pub(crate) fn run(executable: &str, arguments: &str) -> Ran {
    run_in(executable, arguments, &[])
}

/// Runs the fixture with these variables set.
pub(crate) fn run_in(executable: &str, arguments: &str, environment: &[(&str, &str)]) -> Ran {
    let folder = temporary_folder();
    let mut command = command(executable, arguments, folder.path());
    command.envs(environment.iter().copied());
    Ran::from(command.output().unwrap())
}

/// A fixture with these arguments, with this folder for temporary files, where it looks for who else
/// measures, and for what it stores.
pub(crate) fn command(executable: &str, arguments: &str, temporary: &Path) -> Command {
    let mut command = Command::new(executable);
    command.args(arguments.split_whitespace());
    isolate(&mut command);
    command.env("TMPDIR", temporary).env("TMP", temporary).env("CARGO_TARGET_DIR", temporary);
    // Compiling each of them once more takes longer than all the rest.
    command.env("BENCH_DIFF_LAYOUTS", "linked");
    #[cfg(target_os = "linux")]
    if arguments.contains("--against ") {
        crate::sides::share_builds(temporary);
    }
    command
}

impl Ran {
    /// The names that `--list --format terse` printed.
    pub(crate) fn listed(&self) -> Vec<&str> {
        self.stdout.lines().filter_map(|line| line.strip_suffix(": benchmark")).collect()
    }

    /// Checks that `--list --format terse` printed these names, a line each.
    #[track_caller]
    pub(crate) fn lists(self, names: &str) {
        assert_eq!(self.ends_with(0).listed(), names.lines().collect::<Vec<_>>());
    }

    /// The records of the pairs, and that of the run behind them.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The records of the pairs alone.
    pub(crate) fn records(&self) -> Vec<Value> {
        self.lines().into_iter().filter(|record| record["event"] == "pair").collect()
    }
}
