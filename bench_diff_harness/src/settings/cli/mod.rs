//! The command line as it was typed: no decision is made here.

mod error;
mod flags;
mod foreign;
mod parsing;
mod typed;

pub(super) use self::flags::USAGE;
pub(crate) use self::parsing::parse;
pub(crate) use self::typed::Typed;
