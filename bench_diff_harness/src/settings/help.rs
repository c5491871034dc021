//! The help: every flag, and of the settings the value in force and where it comes from.

use super::cli::{self, Typed};
use super::environment::Environment;
use super::given::Given;
use super::reading::all_given;
use super::setting::Setting;

/// The help with what is in force, wrapped at the width of the terminal, and not at all where there is none.
pub(crate) fn help(typed: &Typed, environment: &Environment, width: Option<usize>) -> Result<String, String> {
    let given = all_given(typed, environment)?;
    Ok(cli::help(&|setting| format!(" [{}]", in_force(setting, &given)), width))
}

fn in_force(setting: &Setting, given: &[(&Setting, Given)]) -> String {
    let given = given.iter().filter(|(_, given)| given.name == setting.name);
    let given: Vec<String> = given.map(|(_, given)| given.in_force()).collect();
    let now = (!given.is_empty()).then(|| format!("now: {}", given.join("; ")));
    let default = setting.default.map(|default| format!("default: {}", default()));
    let known: Vec<String> = [now, default].into_iter().flatten().collect();
    if known.is_empty() { "off".to_owned() } else { known.join("; ") }
}
