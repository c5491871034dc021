//! The records of a run, and every form in which people and machines read them.
//!
//! It belongs to the harness of the same version, and nothing else should depend on it.
//!
//! It knows records and writers. It measures and judges nothing, starts no process, and reads no clock, no
//! arguments and no environment: the harness sends it [events](record::Event) and [`Options`]. It depends on
//! the core, of whose measurements it makes records, and on the system crate.
//!
//! ```text
//! measurement -> record -> event -> Reports -> words -> terminal, page and files
//! ```
//!
//! | module | topic |
//! |---|---|
//! | [`record`] | what a run leaves behind; its JSON is described by `schema/record.schema.json` |
//! | `options`, `reports`, `sink` | which reports there are, what each reader may see, and what they receive |
//! | `text` | the words in which every report says the same |
//! | `terminal` | the table and the progress bar |
//! | `html` | the page |
//! | `file` | the other files, and the job on GitHub |
//! | `list` | the pairs, for `--list` |

mod file;
#[cfg(test)]
mod fixture;
mod html;
mod list;
mod options;
pub mod record;
mod reports;
mod sink;
mod terminal;
#[cfg(test)]
mod tests;
mod text;

pub use crate::list::{ListedPair, list};
pub use crate::options::{FileFormat, Format, GitHub, Options, ReportFile};
pub use crate::reports::Reports;
