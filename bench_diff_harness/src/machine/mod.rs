//! The measuring machine: what is known about it before a run, and which facts deserve a warning.

mod facts;
mod interference;
mod proc;

pub(crate) use self::facts::{costs, read, warning};
pub(crate) use self::interference::Interference;
