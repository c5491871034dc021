//! The bench that runs: what the harness hands in, and what decides how another tree builds it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bench_diff_system::executable::Variables;
use bench_diff_system::rustc_call::RustcCall;
use bench_diff_system::words;

use super::cargo_call::CargoCall;
use super::workspace::{Package, Workspace};

words! {
    /// The benchmarks that the old revision runs.
    #[derive(Default)]
    pub enum Benches {
        /// Those of the working tree, or its own if these do not build there.
        #[default]
        Auto = "auto",
        /// Those of the working tree.
        Now = "now",
        /// Its own, whatever changed in them.
        Own = "own",
    }
}

/// The bench that runs, as it was compiled and started.
#[derive(Clone, Debug)]
pub struct Bench<'a> {
    /// The name of its package.
    pub package: &'a str,
    /// The name of the bench.
    pub name: String,
    /// The root of its sources, relative to the root of the workspace.
    pub file: &'a str,
    /// The folder of its package.
    pub folder: &'a Path,
    /// The folder of the package of the harness that it uses.
    pub harness: &'a Path,
    /// The path of rustc, the folder in which it ran, and its arguments; empty if they were not recorded.
    pub rustc_call: &'a [&'a str],
    /// The program that records it while cargo compiles, if no macro does.
    pub recorder: Option<PathBuf>,
    /// The cargo call that built and started it, if that is known.
    pub cargo_call: Option<CargoCall>,
    /// The environment variables of this process.
    pub variables: Variables,
}

/// The value of an environment variable among these.
pub(super) fn value_of<'v>(variables: &'v Variables, name: &str) -> Option<&'v OsStr> {
    variables.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
}

/// How the bench is built in another tree.
pub(super) struct Build<'a> {
    pub(super) bench: &'a Bench<'a>,
    /// The rustc call that compiled the bench.
    pub(super) call: RustcCall,
    /// The cargo call that built it. If that is not known, one for its package alone.
    pub(super) cargo_call: CargoCall,
    /// The root of the user's repository.
    pub(super) top: &'a Path,
    /// What cargo reports for the bench's package in the working tree.
    pub(super) workspace: Workspace,
    /// True if each crate of the workspace is to be compiled as a single codegen unit.
    pub(super) has_one_unit: bool,
}

impl Build<'_> {
    /// The folder of the workspace in the working tree. Rustc runs there, unless the package is not below it.
    pub(super) fn root(&self) -> &Path {
        Path::new(&self.workspace.root)
    }

    /// What cargo reports for the package of the bench in the working tree.
    pub(super) fn today(&self) -> Option<&Package> {
        self.workspace.package(self.bench.package)
    }
}

/// The package of the bench in the old tree.
pub(super) struct OldPackage {
    pub(super) name: String,
    /// The manifest of the package, or of its workspace.
    pub(super) manifest: PathBuf,
    /// The source of the bench in that tree, if it has the bench.
    pub(super) bench: Option<PathBuf>,
    /// True if the bench of the working tree was copied into the tree.
    pub(super) is_laid_over: bool,
}
