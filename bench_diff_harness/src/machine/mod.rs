//! The measuring machine: what is known about it before a run, and which facts deserve a warning.

mod facts;
mod interference;
mod lock;
mod patience;
mod proc;

pub(crate) use self::facts::{Costs, Machine};
pub(crate) use self::interference::Interference;
pub(crate) use self::lock::Lock;
pub(crate) use self::patience::Patience;
