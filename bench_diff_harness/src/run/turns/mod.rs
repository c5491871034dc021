//! A process with one function of one of two programs, which calls it whenever it is its turn.
//!
//! It holds the other end of a line of its own to the run: what functions read, print or close by its usual
//! number is no part of that.

#[cfg_attr(not(unix), path = "no_line.rs")]
mod line;
mod message;
mod serve;

pub(super) use self::line::Line;
pub(super) use self::message::{Answer, Ready, Wish, next_request};
pub(super) use self::serve::{Serving, serve};
