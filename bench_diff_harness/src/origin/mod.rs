//! Checks that this bench binary was built from the tree in which cargo runs it.
//!
//! Cargo names its output by paths inside the workspace, and compares the times of sources. If two checkouts
//! share a target directory, or one was copied with its target directory, cargo may take a binary or a
//! library of one checkout for the other's.

mod check;
mod foreign;
mod libraries;

pub(crate) use self::check::check;
