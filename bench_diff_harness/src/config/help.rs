//! The help: every flag, and of the settings the value in force and where it comes from.

use super::UsageError;
use super::given::Given;
use crate::cli::{self, Typed};
use crate::entry::PairOptions;
use crate::environment::Environment;
use crate::settings::Setting;

/// The help with what is in force, above attributes with these options. Wrapped at the width of the terminal, and not at
/// all where there is none.
pub(crate) fn help(
    typed: &Typed,
    environment: &Environment,
    attributes: &[PairOptions],
    width: Option<usize>,
) -> Result<String, UsageError> {
    let given = Given::new(typed, environment)?;
    Ok(cli::help(&|setting| format!(" [{}]", in_force(setting, &given, attributes)), width))
}

fn in_force(setting: &Setting, given: &Given, attributes: &[PairOptions]) -> String {
    let now = given.in_force(setting.name);
    let mut count = 0;
    for options in attributes {
        count += usize::from((setting.in_attribute)(options));
    }
    let own = match (count, &now) {
        (0, _) => None,
        (1, Some(_)) => Some("goes before 1 attribute".to_owned()),
        (_, Some(_)) => Some(format!("goes before {count} attributes")),
        (1, None) => Some("1 attribute has its own".to_owned()),
        (_, None) => Some(format!("{count} attributes have their own")),
    };
    let mut known = Vec::new();
    if let Some(value) = now {
        known.push(format!("now: {value}"));
    }
    if let Some(default) = setting.default {
        known.push(format!("default: {}", default()));
    }
    known.extend(own);
    if known.is_empty() { "off".to_owned() } else { known.join("; ") }
}
