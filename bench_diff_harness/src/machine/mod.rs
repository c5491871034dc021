//! The machine that measures: what is known of it before a run, and what of that is worth a warning.

mod facts;
mod interference;
pub(crate) mod lock;
mod proc;

pub(crate) use self::facts::{Costs, Machine};
pub(crate) use self::interference::Interference;
