//! Calls of the user's functions.

pub(crate) mod allocations;
pub(crate) mod heap;
pub(crate) mod panics;
pub(crate) mod probe;
pub(crate) mod value;
pub(crate) mod work;
