//! Rounds of two programs: each function of today's is compared with the one of the same name in an old one.
//!
//! Each function has a process of its own on either side, and both take turns. What it is compared with in
//! its own program has no part in that.

mod both;
mod partner;
mod rounds;

pub(crate) use self::rounds::Revisions;
