//! Where cargo builds the bench of the old tree, and what it made there.

use std::path::{Path, PathBuf};

use super::bench::OldPackage;
use super::cargo::{Cargo, Package, Workspace};
use super::checkout::Checkout;
use super::prepare::Prepared;
use bench_diff_system::executable::{Executable, Variables};

/// The bench of the old tree, as cargo finds it.
pub(super) struct Site<'s> {
    pub(super) checkout: &'s Checkout,
    pub(super) old: &'s OldPackage,
    pub(super) cargo: Cargo<'s>,
    /// What cargo reports for the manifest of `old`.
    pub(super) members: &'s Workspace,
    /// The manifest of their workspace.
    pub(super) manifest: &'s Path,
    pub(super) package: &'s Package,
    /// The name of the bench.
    pub(super) name: &'s str,
    pub(super) target: &'s Path,
}

/// A bench binary that cargo built, with the running harness.
pub(super) struct Made {
    pub(super) executable: Executable,
    /// The manifest of its harness.
    pub(super) harness: PathBuf,
    /// The rustc call that it recorded.
    pub(super) call: Vec<String>,
    /// The environment variables that cargo gives it, or the reason why they are not known.
    pub(super) variables: Result<Variables, String>,
    /// The features that the user selected and this tree does not have.
    pub(super) lacking: Vec<String>,
    pub(super) prepared: Prepared,
    /// The lock file after the build.
    pub(super) lock: String,
}
