//! The command line as it was typed: no decision is made here.

mod error;
mod flags;
mod foreign;
mod help;
mod parsing;
mod typed;

pub(crate) use self::help::help;
pub(crate) use self::parsing::parse;
pub(crate) use self::typed::Typed;
