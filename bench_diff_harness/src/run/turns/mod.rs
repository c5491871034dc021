//! A process that contains one of two programs, and calls a function of it whenever it is its turn.
//!
//! Its channel to the run is separate from the standard streams, so functions may read, print to or close
//! those.

mod channel;
mod message;
mod serve;
mod visits;

pub(super) use self::channel::Channel;
pub(super) use self::message::{Answer, Ready, Wish};
pub(super) use self::visits::take_all_turns;
