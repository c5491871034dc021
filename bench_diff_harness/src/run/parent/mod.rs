//! The process of the run: starts processes for every round, and receives what they find.
//!
//! Pairs of one program are measured by one process, one after the other. If they are compared with another
//! program, each function has a process of its own on either side, and both take turns: what it is compared
//! with in its own program has no part in that.

mod both;
mod children;
mod failure;
mod in_turns;
mod partner;
mod session;

pub(crate) use self::children::Children;
