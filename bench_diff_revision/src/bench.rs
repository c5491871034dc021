//! The bench of a run, and its package in the old tree.

use std::path::{Path, PathBuf};

use super::cargo_call::CargoCall;
use bench_diff_system::rustc_call::RustcCall;
use bench_diff_system::words;

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

/// The bench that runs, as it was compiled.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The name of its package.
    pub package: &'a str,
    /// The name of the bench.
    pub bench: &'a str,
    /// The root of its sources, relative to the root of the workspace.
    pub file: &'a str,
    /// The folder of its package.
    pub manifest_dir: &'a Path,
    /// The folder of the package of the harness that it uses.
    pub harness: &'a Path,
    /// The name and the folder of the package of the front end, if it uses one.
    pub front_end: Option<(&'a str, &'a Path)>,
    /// The path of rustc, the folder in which it ran, and its arguments; empty if they were not recorded.
    pub rustc_call: &'a [&'a str],
}

/// The running bench: the facts that decide how the old side is built.
pub(super) struct Bench<'a> {
    pub(super) package: &'a str,
    pub(super) name: String,
    /// The folder of the package.
    pub(super) folder: &'a Path,
    pub(super) call: RustcCall,
    /// The cargo call that built and started it, if that is known.
    pub(super) cargo_call: Option<&'a CargoCall>,
    /// The root of the user's repository.
    pub(super) top: &'a Path,
    /// The folder of the harness that runs.
    pub(super) harness: &'a Path,
    /// The name and the folder of the front end that the bench uses, if it uses one.
    pub(super) front_end: Option<(&'a str, &'a Path)>,
    /// True if each crate of the workspace is to be compiled as a single codegen unit.
    pub(super) has_one_unit: bool,
}

/// The package of the bench in the old tree.
pub(super) struct OldPackage {
    pub(super) name: String,
    /// The manifest of the package, or of its workspace.
    pub(super) manifest: PathBuf,
    /// The source of the bench in that tree, if it has the bench.
    pub(super) bench: Option<PathBuf>,
    /// True if its library has another name than that of the working tree.
    pub(super) has_other_library: bool,
    /// True if the bench of the working tree was copied into the tree.
    pub(super) is_laid_over: bool,
}
