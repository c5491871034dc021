//! What the environment says about the programs around this one: cargo, nextest, a CI job.

use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::target::Target;

/// The programs around this one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    /// The root of the package, if cargo runs the benchmark.
    pub(crate) package_root: Option<PathBuf>,
    /// The name of that package.
    pub(crate) package_name: Option<String>,
    /// The target directory of cargo, if set.
    pub(crate) target_dir: Option<PathBuf>,
    /// The id of the nextest run that this process belongs to, if any. It runs every pair in a separate
    /// process.
    pub(crate) nextest_run: Option<String>,
    /// True in a continuous integration job, which has no terminal to redraw.
    pub(crate) ci: bool,
    /// True in a GitHub job.
    pub(crate) github: bool,
    /// The root of the repository in a GitHub job.
    pub(crate) github_workspace: Option<PathBuf>,
    /// The file for the summary of a step of a GitHub job.
    pub(crate) github_summary: Option<PathBuf>,
}

impl Surroundings {
    /// The root of the package, as cargo or nextest says. If cargo started a program of another package, and
    /// that started this process, the variables are about the other package.
    pub(crate) fn root_of(&self, target: &Target) -> Option<&Path> {
        let is_of_it = self.package_name.as_deref().is_none_or(|name| name == target.package);
        self.package_root.as_deref().filter(|_| is_of_it)
    }

    pub(super) fn of(environment: &Environment) -> Self {
        let path = |name| environment.get(name).map(PathBuf::from);
        Self {
            package_root: path("CARGO_MANIFEST_DIR"),
            package_name: environment.get("CARGO_PKG_NAME").map(str::to_owned),
            target_dir: path("CARGO_TARGET_DIR"),
            nextest_run: environment.get("NEXTEST_RUN_ID").map(str::to_owned),
            ci: environment.get("CI").is_some_and(|ci| !["0", "false"].contains(&ci)),
            github: environment.get("GITHUB_ACTIONS") == Some("true"),
            github_workspace: path("GITHUB_WORKSPACE"),
            github_summary: path("GITHUB_STEP_SUMMARY"),
        }
    }
}
