//! Leaves that the rest of the harness uses: requests to the system, and messages to the user.

pub(crate) mod affinity;
pub(crate) mod ancestors;
pub(crate) mod copy;
pub(crate) mod digest;
pub(crate) mod executable;
pub(crate) mod exit;
pub(crate) mod file_lock;
pub(crate) mod files;
pub(crate) mod input;
pub(crate) mod lifeline;
pub(crate) mod order;
pub(crate) mod replace;
pub(crate) mod stderr;
pub(crate) mod temporary;
pub(crate) mod terminal;
pub(crate) mod text;
pub(crate) mod words;
pub(crate) mod wrap;
