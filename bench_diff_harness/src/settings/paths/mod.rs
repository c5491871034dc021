//! The folders that a run knows: where paths begin, and where cargo builds.

mod package;
mod root;
mod target_directory;

pub(crate) use self::package::package_spec;
pub(crate) use self::root::root;
pub(crate) use self::target_directory::target_directory;
