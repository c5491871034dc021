//! Why the old side could not be built.

use super::git::GitError;
use bench_diff_system::files::FileError;

/// The reason why the old side could not be built.
pub(super) struct BuildError {
    pub(super) reason: String,
    /// The first error of the compiler or of cargo, if one of them refuses the sources or the manifests.
    pub(super) refusal: Option<String>,
    /// True if it is the bench that does not build, and not its library.
    pub(super) is_of_bench: bool,
}

impl BuildError {
    /// What is not built for this reason.
    pub(super) fn refused(reason: &str) -> Self {
        Self { refusal: Some(reason.to_owned()), ..reason.to_owned().into() }
    }
}

impl From<String> for BuildError {
    fn from(reason: String) -> Self {
        Self { reason, refusal: None, is_of_bench: false }
    }
}

impl From<GitError> for BuildError {
    fn from(error: GitError) -> Self {
        error.to_string().into()
    }
}

impl From<FileError> for BuildError {
    fn from(error: FileError) -> Self {
        error.to_string().into()
    }
}

impl From<BuildError> for String {
    fn from(error: BuildError) -> Self {
        error.reason
    }
}
