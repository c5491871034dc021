//! Calls of the user's functions.

pub(crate) mod allocations;
mod failed;
pub(crate) mod heap;
pub(crate) mod panics;
pub(crate) mod probe;
pub(crate) mod value;
pub(crate) mod work;

pub(crate) use self::failed::Failed;
