//! The records of a run, and every form in which people and machines read them.
//!
//! It belongs to the harness of the same version.

mod file;
#[cfg(test)]
mod fixture;
mod html;
mod list;
mod options;
pub mod record;
mod reports;
mod terminal;
#[cfg(test)]
mod tests;
mod text;

pub use crate::list::{ListedPair, list};
pub use crate::options::{FileFormat, Format, GitHub, Options, ReportFile};
pub use crate::reports::Reports;
