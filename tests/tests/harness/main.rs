//! The whole harness, run as cargo and nextest run it, on fixtures of known truth.

#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod exit_codes;
mod fixture;
mod futures;
mod groups;
mod inputs;
mod machine;
mod modes;
mod outside;
mod reports;
mod threads;
