//! The folders of a run: the package, where relative paths begin, and the one where cargo builds.

mod package;
mod target_directory;

pub(crate) use self::package::{given, package_spec, root};
pub(crate) use self::target_directory::{bench_folder, target_directory};
