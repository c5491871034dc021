//! Whether a job on GitHub is told of a run, and what that job said of itself.

use std::path::PathBuf;

use super::UsageError;
use super::given::Given;
use crate::environment::Environment;
use crate::values;

/// A job to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Github {
    /// The root of the repository.
    pub(crate) workspace: Option<PathBuf>,
    /// The file of the step's summary.
    pub(crate) summary: Option<PathBuf>,
    /// Whether it was asked for, rather than found.
    pub(crate) asked_for: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum When {
    #[default]
    Auto,
    Always,
    Never,
}

impl Github {
    /// The job, where there is one and it wants to be told.
    pub(super) fn new(given: &Given, environment: &Environment) -> Result<Option<Self>, UsageError> {
        let when = given.value("github", when)?.unwrap_or_default();
        let told = match when {
            When::Auto => environment.get("GITHUB_ACTIONS") == Some("true"),
            When::Always => true,
            When::Never => false,
        };
        Ok(told.then(|| Self {
            workspace: environment.get("GITHUB_WORKSPACE").map(PathBuf::from),
            summary: environment.get("GITHUB_STEP_SUMMARY").map(PathBuf::from),
            asked_for: when == When::Always,
        }))
    }
}

fn when(text: &str) -> Result<When, String> {
    values::word(text, &[("auto", When::Auto), ("always", When::Always), ("never", When::Never)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;
    use crate::config::Config;

    fn github(line: &str, environment: &[(&str, &str)]) -> Option<Github> {
        let typed = cli::parse(line.split_whitespace().map(Into::into)).unwrap();
        let variables = environment.iter().map(|&(name, value)| (name.into(), value.into()));
        Config::new(typed, &Environment::new(variables).unwrap()).unwrap().github
    }

    #[test]
    fn a_job_is_told_by_itself() {
        let job = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", "/s"), ("GITHUB_WORKSPACE", "/w")];
        let told = github("", &job).unwrap();
        assert_eq!((told.workspace, told.summary), (Some("/w".into()), Some("/s".into())));
        assert!(!told.asked_for);
        assert_eq!(github("--github never", &job), None);
        assert_eq!(github("", &[]), None);
        assert_eq!(github("", &[("GITHUB_ACTIONS", "false")]), None);
    }

    #[test]
    fn anybody_may_ask_to_be_told() {
        assert!(github("--github always", &[]).unwrap().asked_for);
    }
}
