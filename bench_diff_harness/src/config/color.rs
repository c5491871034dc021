//! Whether the output has colours.

use anstream::ColorChoice;

use super::UsageError;
use crate::environment::Environment;
use crate::values;

/// `--color`, then the variables that are in use for this, then what the terminal can do.
pub(super) fn color(flag: Option<&str>, environment: &Environment) -> Result<ColorChoice, UsageError> {
    let choices =
        [("auto", ColorChoice::Auto), ("always", ColorChoice::Always), ("never", ColorChoice::Never)];
    let flag = flag.map(|value| {
        values::word(value, &choices).map_err(|expected| UsageError::new("--color", value, expected))
    });
    if let Some(choice @ (ColorChoice::Always | ColorChoice::Never)) = flag.transpose()? {
        return Ok(choice);
    }
    let forced = |name: &str| environment.get(name).is_some_and(|value| value != "0");
    Ok(if environment.get("NO_COLOR").is_some() {
        ColorChoice::Never
    } else if forced("CLICOLOR_FORCE") || forced("FORCE_COLOR") {
        ColorChoice::Always
    } else if environment.get("CLICOLOR").is_some_and(|value| value == "0") {
        ColorChoice::Never
    } else {
        // Cargo's own setting is no reason for an error here.
        let cargo = environment.get("CARGO_TERM_COLOR");
        cargo.and_then(|value| values::word(value, &choices).ok()).unwrap_or(ColorChoice::Auto)
    })
}
