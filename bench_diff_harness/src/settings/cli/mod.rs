//! The command line as it was typed: no decision is made here.

mod error;
mod foreign;
mod parsing;

#[cfg(test)]
pub(super) use self::error::OF_CARGO;
pub(super) use self::error::USAGE;
pub(crate) use self::parsing::{Typed, parse};
