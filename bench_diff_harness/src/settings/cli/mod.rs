//! Parses the command line. What it asks for is decided elsewhere.

mod error;
mod foreign;
mod parsing;

#[cfg(test)]
pub(super) use self::error::OF_CARGO;
pub(super) use self::error::USAGE;
pub(crate) use self::parsing::{Typed, parse};
