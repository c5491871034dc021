//! Choices between always, never, and whenever it makes sense.

use crate::settings::environment::Environment;
use crate::system::words::words;

words! {
    #[derive(Default)]
    pub(crate) enum When {
        /// Whenever it makes sense: colors on a terminal that has them, reports to a job in a job.
        #[default]
        Auto = "auto",
        Always = "always",
        Never = "never",
    }
}

impl When {
    /// Returns whether there are colors, by the common variables for this.
    pub(super) fn colors(environment: &Environment) -> Self {
        let forced = |name: &str| environment.get(name).is_some_and(|value| value != "0");
        if environment.get("NO_COLOR").is_some() {
            Self::Never
        } else if forced("CLICOLOR_FORCE") || forced("FORCE_COLOR") {
            Self::Always
        } else if environment.get("CLICOLOR").is_some_and(|value| value == "0") {
            Self::Never
        } else {
            // Cargo's own setting causes no error here.
            let cargo = environment.get("CARGO_TERM_COLOR");
            cargo.and_then(|value| Self::read(value).ok()).unwrap_or_default()
        }
    }
}
