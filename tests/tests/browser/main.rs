//! The page of a run in a real browser: what it shows is what the records say, and it does what its keys
//! promise. Where there is no browser these tests say so and pass.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod driver;
mod fixture;
#[path = "../common/heard.rs"]
mod heard;
mod plots;
#[path = "../common/skip.rs"]
mod skip;
mod texts;
mod use_of_it;
