//! The bench of a run, and what is known of it in another tree.

use std::path::{Path, PathBuf};

use super::cargo_call::CargoCall;
use super::stand_in::Replaced;
use crate::layout::RustcCall;

/// The bench that runs, as far as it says how the other side is built.
pub(super) struct Bench<'a> {
    pub(super) package: &'a str,
    pub(super) name: String,
    /// The folder of the package.
    pub(super) folder: &'a Path,
    pub(super) call: RustcCall,
    /// The call of cargo that built and started it, if that is known.
    pub(super) cargo_call: Option<&'a CargoCall>,
    /// The root of the repository of today.
    pub(super) top: &'a Path,
    /// The folder of this harness.
    pub(super) harness: &'a Path,
    /// The variables that the user sets for the other side.
    pub(super) variables: &'a [(String, String)],
    /// True if each crate of the workspace is to be compiled as one codegen unit.
    pub(super) has_one_unit: bool,
}

/// The package of the bench in another tree.
pub(super) struct There {
    /// The manifest of the package, or that of its workspace.
    pub(super) manifest: PathBuf,
    pub(super) package: String,
    /// The source of the bench there, if it has one.
    pub(super) bench: Option<PathBuf>,
    /// True if today's bench was laid over the tree.
    pub(super) is_laid_over: bool,
}

/// Why the other side could not be built.
pub(super) struct BuildError {
    pub(super) reason: String,
    /// The first error of the compiler, if the bench does not compile, or something that it needs.
    pub(super) first_error: Option<String>,
    /// What the benches need, if it was built with something else in its place.
    pub(super) replaced: Option<Replaced>,
}

impl From<String> for BuildError {
    fn from(reason: String) -> Self {
        Self { reason, first_error: None, replaced: None }
    }
}

impl From<BuildError> for String {
    fn from(error: BuildError) -> Self {
        error.reason
    }
}
