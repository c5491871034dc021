//! The judge over rounds, on rounds from a script: their contrasts are drawn here, and nothing is measured.

#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

#[path = "../common/binomial.rs"]
mod binomial;
mod draws;
mod ignored;
mod level;
mod places;
mod power;
mod properties;
#[path = "../common/random.rs"]
mod random;
mod recorded;
mod script;
