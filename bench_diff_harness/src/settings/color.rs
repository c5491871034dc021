//! Whether the output has colours.

use super::grammar;
use super::usage_error::UsageError;
use crate::settings::environment::Environment;

/// Whether the output has colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Color {
    /// Where it is a terminal that knows them.
    #[default]
    Auto,
    Always,
    Never,
}

/// `--color`, then the variables that are in use for this, then what the terminal can do.
pub(super) fn color(flag: Option<&str>, environment: &Environment) -> Result<Color, UsageError> {
    let choices = [("auto", Color::Auto), ("always", Color::Always), ("never", Color::Never)];
    let flag = flag.map(|value| {
        grammar::word(value, &choices).map_err(|expected| UsageError::new("--color", value, &expected))
    });
    let flag = flag.transpose()?;
    if let Some(choice @ (Color::Always | Color::Never)) = flag {
        return Ok(choice);
    }
    let forced = |name: &str| environment.get(name).is_some_and(|value| value != "0");
    Ok(if environment.get("NO_COLOR").is_some() {
        Color::Never
    } else if forced("CLICOLOR_FORCE") || forced("FORCE_COLOR") {
        Color::Always
    } else if environment.get("CLICOLOR").is_some_and(|value| value == "0") {
        Color::Never
    } else {
        // Cargo's own setting is no reason for an error here.
        let cargo = environment.get("CARGO_TERM_COLOR");
        cargo.and_then(|value| grammar::word(value, &choices).ok()).unwrap_or(Color::Auto)
    })
}
