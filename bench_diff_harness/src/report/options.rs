//! What a run reports and where, as the harness reads it from flags and environment variables.

use std::path::PathBuf;

use bench_diff_system::words;

/// What a run reports, and where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) format: Format,
    /// True if the proof of each pair is shown below its row.
    pub(crate) verbose: bool,
    /// The columns of the terminal that results are printed on; `None` if they go elsewhere.
    pub(crate) width: Option<usize>,
    /// True if the error stream is a terminal with room for a line that shows the progress.
    pub(crate) shows_progress: bool,
    /// The command that compares the functions with those of another revision, if the run compares nothing.
    pub(crate) comparison: Option<String>,
    pub(crate) files: Vec<ReportFile>,
    /// The id of the nextest run that this process belongs to, if any.
    pub(crate) nextest_run: Option<String>,
    /// The GitHub job that reads the results, if any.
    pub(crate) github: Option<GitHub>,
}

words! {
    /// The form in which results are printed.
    #[derive(Default)]
    pub(crate) enum Format {
        #[default]
        Pretty = "pretty",
        Terse = "terse",
        Json = "json",
    }
}

words! {
    /// The format of a report file, named like the flag with its path.
    pub(crate) enum FileFormat {
        Json = "json",
        Junit = "junit",
        Markdown = "markdown",
        Csv = "csv",
        Bencher = "bencher",
        Html = "html",
    }
}

/// A report file that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct ReportFile {
    pub(crate) format: FileFormat,
    pub(crate) path: PathBuf,
    /// The flag or the environment variable that asks for it.
    pub(crate) origin: String,
    /// The path as it was written there.
    pub(crate) text: String,
}

impl ReportFile {
    /// The message about a path that cannot be used.
    pub(super) fn wrong(&self, reason: &str) -> String {
        format!("invalid value '{}' for '{}': {reason}", self.text, self.origin)
    }
}

/// The GitHub job that a run reports to.
#[derive(Clone, Debug, Default)]
pub(crate) struct GitHub {
    /// The root of the package.
    pub(crate) package: PathBuf,
    /// The root of the repository.
    pub(crate) repository: Option<PathBuf>,
    /// The file for the summary of the step.
    pub(crate) summary: Option<PathBuf>,
    /// True if the user asked for these reports, so it is an error if one cannot be written.
    pub(crate) is_required: bool,
}
