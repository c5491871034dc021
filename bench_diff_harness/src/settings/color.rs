//! The colours of the output.

use super::grammar;
use crate::settings::environment::Environment;

/// The choice of coloured output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Color {
    /// If it is a terminal with colours.
    #[default]
    Auto,
    Always,
    Never,
}

/// The choice by `--color`, then by the common variables for this, then by the terminal.
pub(super) fn color(flag: Option<&str>, environment: &Environment) -> Result<Color, String> {
    let choices = [("auto", Color::Auto), ("always", Color::Always), ("never", Color::Never)];
    let flag = flag.map(|value| {
        grammar::word(value, &choices).map_err(|expected| grammar::wrong_value("--color", value, &expected))
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
        // Cargo's own setting causes no error here.
        let cargo = environment.get("CARGO_TERM_COLOR");
        cargo.and_then(|value| grammar::word(value, &choices).ok()).unwrap_or(Color::Auto)
    })
}
