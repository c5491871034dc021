//! The records of a run, and every form in which people and machines read them.
//!
//! It belongs to the harness of the same version.

#[cfg(test)]
mod fixture;
pub mod record;
mod report;

pub use crate::report::{FileFormat, Format, GitHub, ListedPair, Options, ReportFile, Reports, list};
