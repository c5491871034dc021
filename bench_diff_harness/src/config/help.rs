//! The help: every flag, and of the settings the value in force and where it comes from.

use clap::Command;

use super::UsageError;
use super::given::Given;
use crate::cli::{self, Typed};
use crate::entry::PairOptions;
use crate::environment::Environment;
use crate::settings::Setting;

/// The command whose help shows what is in force, above attributes with these options.
pub(crate) fn help(
    typed: &Typed,
    environment: &Environment,
    attributes: &[PairOptions],
) -> Result<Command, UsageError> {
    let given = Given::new(typed, environment)?;
    Ok(cli::command(|setting| format!(" [{}]", in_force(setting, &given, attributes))).term_width(0))
}

fn in_force(setting: &Setting, given: &Given, attributes: &[PairOptions]) -> String {
    let default = setting.default.map(|default| format!("default: {}", default()));
    let count = attributes.iter().filter(|options| (setting.in_attribute)(options)).count();
    let own = match count {
        0 => None,
        1 => Some("1 attribute has its own".to_owned()),
        _ => Some(format!("{count} attributes have their own")),
    };
    let known = [given.in_force(setting.name).map(|value| format!("now: {value}")), default, own];
    let known: Vec<String> = known.into_iter().flatten().collect();
    if known.is_empty() { "off".to_owned() } else { known.join("; ") }
}
