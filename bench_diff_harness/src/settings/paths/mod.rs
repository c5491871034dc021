//! The folders that a run knows: where paths begin, and where cargo builds.

mod package;
mod target_directory;

pub(crate) use self::package::{package_spec, root};
pub(crate) use self::target_directory::{profile_of, target_directory};
