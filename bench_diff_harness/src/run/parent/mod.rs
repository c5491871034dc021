//! The parent process of a run: it starts processes for every round and receives their findings.
//!
//! Pairs within one binary are measured by one process, one after the other. If functions are compared with
//! another binary, each function has its own process on either side, and both processes take turns. The
//! baselines within the binary are not involved then.

mod both;
mod children;
mod failure;
mod in_turns;
mod partner;
mod session;

pub(crate) use self::children::Children;
