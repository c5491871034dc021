//! What a run reports and where, as the harness reads it from flags and environment variables.

use std::path::PathBuf;

use bench_diff_system::words;

/// What a run reports, and where.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The form of the printed results.
    pub format: Format,
    /// True if the proof of each pair is shown below its row.
    pub verbose: bool,
    /// The columns of the terminal that results are printed on; `None` if they go elsewhere.
    pub width: Option<usize>,
    /// True if the error stream is a terminal with room for a line that shows the progress.
    pub shows_progress: bool,
    /// The command that compares the functions with those of another revision, if the run compares nothing.
    pub comparison: Option<String>,
    /// The report files to write.
    pub files: Vec<ReportFile>,
    /// The id of the nextest run that this process belongs to, if any.
    pub nextest_run: Option<String>,
    /// The GitHub job that reads the results, if any.
    pub github: Option<GitHub>,
}

words! {
    /// The form in which results are printed.
    #[derive(Default)]
    pub enum Format {
        #[default]
        /// A table.
        Pretty = "pretty",
        /// A line for each pair.
        Terse = "terse",
        /// A JSON object for each pair, one a line.
        Json = "json",
    }
}

words! {
    /// The format of a report file, named like the flag with its path.
    pub enum FileFormat {
        /// A JSON object for each pair, one a line.
        Json = "json",
        /// JUnit's XML.
        Junit = "junit",
        /// A table in GitHub's markdown.
        Markdown = "markdown",
        /// The raw slots.
        Csv = "csv",
        /// The metrics of Bencher.
        Bencher = "bencher",
        /// A page that loads nothing.
        Html = "html",
    }
}

/// A report file that was asked for.
#[derive(Clone, Debug)]
pub struct ReportFile {
    /// The format of the file.
    pub format: FileFormat,
    /// The path of the file.
    pub path: PathBuf,
    /// The flag or the environment variable that asks for it.
    pub origin: String,
    /// The path as it was written there.
    pub text: String,
}

impl ReportFile {
    /// The message about a path that cannot be used.
    pub(crate) fn wrong(&self, reason: &str) -> String {
        format!("invalid value '{}' for '{}': {reason}", self.text, self.origin)
    }
}

/// The GitHub job that a run reports to.
#[derive(Clone, Debug, Default)]
pub struct GitHub {
    /// The root of the package.
    pub package: PathBuf,
    /// The root of the repository.
    pub repository: Option<PathBuf>,
    /// The file for the summary of the step.
    pub summary: Option<PathBuf>,
    /// True if the user asked for these reports, so it is an error if one cannot be written.
    pub is_required: bool,
}
