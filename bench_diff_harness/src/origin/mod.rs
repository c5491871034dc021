//! Whether this program is that of the tree in which cargo runs it.
//!
//! Cargo names what it builds by paths inside of the workspace, and goes by the times of the sources. In a
//! target directory that two checkouts share, or that was copied along with one, it may take a program or a
//! library of the one for that of the other.

mod check;
mod foreign;
mod libraries;

pub(crate) use self::check::check;
