//! The common part of the two studies of the original's tables: the work, the flags, and the fresh processes.

pub(crate) mod options;
mod processes;
pub(crate) mod program;
pub(crate) mod scale;
pub(crate) mod work;
