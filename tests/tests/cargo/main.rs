//! The real cargo and the real nextest, on crates outside of the workspace.

#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

#[path = "../common/mod.rs"]
mod common;
mod configurations;
mod from_readme;
#[cfg(target_os = "linux")]
mod machine_code;
mod neighbour;
mod nextest;
mod outside;
mod quick_start;
mod rebuilt;
mod repetition;
mod user_crate;
mod worktrees;
