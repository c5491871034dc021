//! A process that contains one of two binaries, and calls a function of it whenever it is its turn.
//!
//! Its channel to the run is separate from the standard streams, so functions may read, print to or close
//! those.

mod answer;
pub(super) mod channel;
mod frame;
mod instruction;
mod serve;
mod visits;

pub(super) use self::answer::{Answer, Ready};
pub(super) use self::instruction::{Begin, CallsRequest, Instruction, TurnsRequest};
pub(super) use self::visits::take_all_turns;
