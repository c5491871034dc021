//! The settings: flags, variables, and their meaning.

mod against;
pub(crate) mod cli;
mod config;
pub(crate) mod defaults;
mod environment;
mod files;
mod github;
mod given;
pub(crate) mod grammar;
mod help;
mod layouts;
mod pair_settings;
pub(crate) mod paths;
mod reading;
mod setting;
mod similar;
mod stored;
mod table;
mod target;
mod when;
pub mod written;

pub(crate) use self::against::Changed;
#[cfg(test)]
pub(crate) use self::config::Surroundings;
pub(crate) use self::config::{Config, Format, Ignored, Mode, Selection, TimeLimit};
pub(crate) use self::environment::Environment;
pub(crate) use self::files::{FileFormat, FilePath, Files};
pub(crate) use self::help::help;
pub(crate) use self::layouts::Layouts;
pub(crate) use self::pair_settings::{PairSettings, for_each_setting};
#[cfg(test)]
pub(crate) use self::stored::Stored;
pub use self::target::Target;
pub(crate) use self::when::When;
