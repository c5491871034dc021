//! The reports to a job on GitHub, and the variables of that job.

use std::path::PathBuf;

use super::when::When;
use crate::settings::environment::Environment;

/// The setting of the reports to a job, and the variables of the job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Github {
    pub(crate) when: When,
    /// True in a job of GitHub.
    is_job: bool,
    /// The root of the repository.
    pub(crate) workspace: Option<PathBuf>,
    /// The file of the step's summary.
    pub(crate) summary: Option<PathBuf>,
}

impl Github {
    pub(super) fn around(environment: &Environment) -> Self {
        Self {
            when: When::default(),
            is_job: environment.get("GITHUB_ACTIONS") == Some("true"),
            workspace: environment.get("GITHUB_WORKSPACE").map(PathBuf::from),
            summary: environment.get("GITHUB_STEP_SUMMARY").map(PathBuf::from),
        }
    }

    pub(crate) fn is_wanted(&self) -> bool {
        match self.when {
            When::Auto => self.is_job,
            When::Always => true,
            When::Never => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::cli;
    use crate::settings::config::Config;

    fn github(line: &str, environment: &[(&str, &str)]) -> Github {
        let typed = cli::parse(line.split_whitespace().map(Into::into)).unwrap();
        let variables = environment.iter().map(|&(name, value)| (name.into(), value.into()));
        Config::new(typed, &Environment::new(variables).unwrap()).unwrap().github
    }

    #[test]
    fn a_job_is_told_by_itself() {
        let job = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", "/s"), ("GITHUB_WORKSPACE", "/w")];
        let github_of_job = github("", &job);
        assert!(github_of_job.is_wanted());
        assert_eq!((github_of_job.workspace, github_of_job.summary), (Some("/w".into()), Some("/s".into())));
        assert!(!github("--github never", &job).is_wanted());
        assert!(!github("", &[]).is_wanted());
        assert!(!github("", &[("GITHUB_ACTIONS", "false")]).is_wanted());
    }

    #[test]
    fn anybody_may_ask_to_be_told() {
        assert!(github("--github always", &[]).is_wanted());
    }
}
