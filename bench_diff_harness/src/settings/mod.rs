//! The settings: flags, environment variables, and what they ask for.

mod against;
pub(crate) mod cli;
mod config;
mod environment;
mod files;
mod given;
pub(crate) mod grammar;
mod help;
mod layouts;
mod manifest;
mod pair_settings;
pub(crate) mod paths;
mod reading;
mod setting;
mod similar;
mod surroundings;
mod table;
mod target;
mod when;
pub mod written;

pub use self::config::Mode;
pub(crate) use self::config::{Config, Ignored, Selection, TimeLimit};
pub(crate) use self::environment::Environment;
pub(crate) use self::help::help;
pub(crate) use self::layouts::Layouts;
pub(crate) use self::manifest::ManifestSettings;
pub(crate) use self::pair_settings::{PairSettings, defaults, for_each_setting};
pub(crate) use self::surroundings::Surroundings;
pub use self::target::Target;
pub(crate) use self::when::When;
