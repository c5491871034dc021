//! Reports: what they say about a run, and where they write it.

mod allocations;
mod bencher;
mod columns;
mod count;
mod csv;
mod destination;
mod escape;
mod explain;
mod files;
mod github;
mod html;
mod json;
mod junit;
mod list;
mod markdown;
mod numbers;
mod options;
mod pair_text;
mod phrase;
mod progress;
mod proof;
mod reports;
mod row;
mod safe;
mod sides;
mod sink;
mod table_kind;
mod terminal;
#[cfg(test)]
mod tests;
mod timing;
mod whole_run;

pub use self::list::{ListedPair, list};
pub use self::options::{FileFormat, Format, GitHub, Options, ReportFile};
pub use self::reports::Reports;
