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
    let count = attributes.iter().filter(|options| (setting.in_attribute)(options)).count();
    let own = match (count, &now) {
        (0, _) => None,
        (1, Some(_)) => Some("goes before 1 attribute".to_owned()),
        (_, Some(_)) => Some(format!("goes before {count} attributes")),
        (1, None) => Some("1 attribute has its own".to_owned()),
        (_, None) => Some(format!("{count} attributes have their own")),
    };
    let default = setting.default.map(|default| format!("default: {}", default()));
    let known = [now.map(|value| format!("now: {value}")), default, own];
    let known: Vec<String> = known.into_iter().flatten().collect();
    if known.is_empty() { "off".to_owned() } else { known.join("; ") }
}
