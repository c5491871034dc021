//! The environment variables of a run, and what they say about the programs around it: cargo, nextest, a job.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bench_diff_system::exit::Misuse;

use super::grammar;
use super::target::Target;

/// Variables with this prefix are settings.
pub(super) const PREFIX: &str = "BENCH_DIFF_";

/// The environment variables. An empty one counts as unset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment(Vec<(String, OsString)>);

impl Environment {
    /// Takes the variables of a process.
    pub(crate) fn new(variables: impl Iterator<Item = (OsString, OsString)>) -> Self {
        let set = variables.filter(|(_, value)| !value.is_empty());
        // No variable of interest has a name that is not UTF-8.
        Self(set.filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect())
    }

    /// The names of the variables that look like settings.
    pub(super) fn settings(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(name, _)| name).filter(|name| name.starts_with(PREFIX))
    }

    /// The value of a variable that is not a setting; `None` if it is not UTF-8.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.value(name)?.to_str()
    }

    /// The value of a setting.
    ///
    /// # Errors
    ///
    /// If it is not UTF-8.
    pub(super) fn setting(&self, name: &str) -> Result<Option<&str>, Misuse> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value.to_str().map(Some).ok_or_else(|| {
            Misuse(grammar::wrong_value(name, &value.to_string_lossy(), "expected text in UTF-8"))
        })
    }

    fn value(&self, name: &str) -> Option<&OsString> {
        self.0.iter().find(|(variable, _)| variable == name).map(|(_, value)| value)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_setting_is_utf8() {
        use std::os::unix::ffi::OsStringExt;
        let odd = || OsString::from_vec(vec![0xff]);
        let variables = [("BENCH_DIFF_ALPHA".into(), odd()), ("OTHER".into(), odd()), (odd(), "x".into())];
        let environment = Environment::new(variables.into_iter());
        let error = environment.setting("BENCH_DIFF_ALPHA").unwrap_err().0;
        assert!(error.contains("UTF-8"), "{error}");
        assert_eq!((environment.get("OTHER"), environment.setting("BENCH_DIFF_STRICT")), (None, Ok(None)));
    }
}
