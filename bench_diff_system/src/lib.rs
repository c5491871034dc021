//! What the crates of [bench_diff](https://docs.rs/bench_diff_harness) need of files, locks, processes, text
//! and JSON. It belongs to the harness of the same version, and nothing else should depend on it.
//!
//! It measures and compares nothing, and depends on no other crate of bench_diff. A part of a run that asks
//! the system for something, or shows text that came from outside, does it by a function of this crate.
//!
//! | modules | topic |
//! |---|---|
//! | [`files`], [`input`], [`replace`], [`temporary`], [`file_lock`] | files that others may change, lock or replace |
//! | [`executable`], [`ancestors`], [`lifeline`], [`copy`], [`affinity`], [`exit`] | this process, its parents and its children |
//! | [`stderr`], [`terminal`], [`text`], [`wrap`], [`similar`] | text for people, safe to show |
//! | [`json`], [`words`](words!), [`digest`], [`order`] | values as text, and in an order |
//! | [`rustc_call`], [`own_crates`] | how a bench was compiled, and which crates are ours |

pub mod affinity;
pub mod ancestors;
pub mod copy;
pub mod digest;
pub mod executable;
pub mod exit;
pub mod file_lock;
pub mod files;
pub mod input;
pub mod json;
pub mod lifeline;
pub mod order;
pub mod own_crates;
pub mod replace;
pub mod rustc_call;
pub mod similar;
pub mod stderr;
pub mod temporary;
pub mod terminal;
pub mod text;
mod words;
pub mod wrap;
