//! The judge over rounds, on rounds from a script: their contrasts are drawn here, and nothing is measured.

#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod level;
mod power;
mod properties;
#[path = "../sequential/random.rs"]
mod random;
mod recorded;
#[path = "../sequential/recording.rs"]
mod recording;
mod script;
