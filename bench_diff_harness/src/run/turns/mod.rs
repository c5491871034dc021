//! A process with one function of one of two programs, which calls it whenever it is its turn.
//!
//! It holds the other end of a channel of its own to the run: what functions read, print or close by its
//! usual number is no part of that.

mod channel;
mod message;
mod serve;
mod visits;

pub(super) use self::channel::Channel;
pub(super) use self::message::{Answer, Ready, Wish};
pub(super) use self::visits::take_all_turns;
