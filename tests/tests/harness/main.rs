//! The whole harness, run as cargo and nextest run it, on fixtures of known truth; with the real ones it is
//! run by the tests in `cargo`.

#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod allocations;
#[cfg(target_os = "linux")]
mod breaks;
#[cfg(target_os = "linux")]
mod chance;
#[cfg(target_os = "linux")]
mod ci_pages;
#[path = "../common/mod.rs"]
mod common;
mod criterion;
mod divan;
mod exit_codes;
mod faults;
mod files;
mod fixture;
mod futures;
mod github;
mod help;
mod home;
mod inputs;
#[cfg(target_os = "linux")]
mod kills;
mod layouts;
mod machine;
mod manifest;
mod meddling_args;
mod modes;
#[cfg(target_os = "linux")]
mod processes;
#[cfg(unix)]
mod progress;
#[cfg(unix)]
mod pseudo_terminal;
mod reports;
#[cfg(target_os = "linux")]
mod revisions;
#[cfg(target_os = "linux")]
mod sabotage;
#[cfg(target_os = "linux")]
mod scale;
#[cfg(target_os = "linux")]
mod sides;
#[cfg(unix)]
mod signals;
mod threads;
#[cfg(target_os = "linux")]
#[path = "../cargo/user_crate.rs"]
#[expect(dead_code, reason = "other tests need the rest")]
mod user_crate;
mod without_baseline;
mod work;
