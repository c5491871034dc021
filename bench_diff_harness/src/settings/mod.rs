//! The settings: flags, environment variables, and what they ask for.

mod allowances;
mod choices;
pub(crate) mod cli;
mod config;
mod environment;
pub(crate) mod grammar;
mod help;
mod manifest;
mod pair_settings;
pub(crate) mod paths;
mod reading;
mod setting;
mod table;
mod target;
pub mod written;

pub(crate) use self::allowances::Allowances;
pub(crate) use self::choices::{Layouts, When};
pub use self::config::Mode;
pub(crate) use self::config::{Config, Ignored, Selection, TimeLimit};
pub(crate) use self::environment::{Environment, Surroundings};
pub(crate) use self::help::help;
pub(crate) use self::manifest::ManifestSettings;
pub(crate) use self::pair_settings::{PairSettings, defaults, for_each_setting};
pub use self::target::Target;
