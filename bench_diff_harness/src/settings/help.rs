//! The help: every flag, and of the settings the value in force and where it comes from.

use super::cli::{self, Typed};
use super::environment::Environment;
use super::given::Given;
use super::pair::PairSettings;
use super::reading::all_given;
use super::setting::Setting;
use crate::system::text::known;

/// The help with what is in force, above attributes with these options. Wrapped at the width of the terminal,
/// and not at all where there is none.
pub(crate) fn help(
    typed: &Typed,
    environment: &Environment,
    attributes: &[PairSettings],
    width: Option<usize>,
) -> Result<String, String> {
    let given = all_given(typed, environment)?;
    Ok(cli::help(&|setting| format!(" [{}]", in_force(setting, &given, attributes)), width))
}

fn in_force(setting: &Setting, given: &[(&Setting, Given)], attributes: &[PairSettings]) -> String {
    let given: Vec<String> = given
        .iter()
        .filter(|(_, given)| given.name == setting.name)
        .map(|(_, given)| given.in_force())
        .collect();
    let now = (!given.is_empty()).then(|| given.join("; "));
    let own = match (attributes.iter().filter(|settings| settings.has(setting.name)).count(), &now) {
        (0, _) => None,
        (1, Some(_)) => Some("overrides 1 attribute".to_owned()),
        (count, Some(_)) => Some(format!("overrides {count} attributes")),
        (1, None) => Some("1 attribute has its own".to_owned()),
        (count, None) => Some(format!("{count} attributes have their own")),
    };
    let now = now.map(|value| format!("now: {value}"));
    let default = setting.default.map(|default| format!("default: {}", default()));
    let known = known(vec![now, default, own]);
    if known.is_empty() { "off".to_owned() } else { known.join("; ") }
}
