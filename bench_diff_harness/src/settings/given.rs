//! A setting that was given, and its origin.

use super::grammar::{self, Written};
use super::setting::{Effect, Setting};
use bench_diff_system::exit::Misuse;

/// A setting that was given, and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub(super) setting: &'static Setting,
    /// The flag or the environment variable.
    pub(crate) origin: String,
    pub(crate) is_flag: bool,
    /// The value; `None` for a switch.
    pub(super) value: Option<String>,
}

/// The first given setting with this name.
pub(super) fn find<'g>(given: &'g [Given], name: &str) -> Option<&'g Given> {
    given.iter().find(|given| given.setting.name == name)
}

impl Given {
    /// The value as it was written; empty for a switch.
    pub(super) fn text(&self) -> &str {
        self.value.as_deref().unwrap_or_default()
    }

    /// Returns whether this is a flag about verdicts, or about where to write them.
    pub(super) fn asks_for_results(&self) -> bool {
        let Setting { effect, value, .. } = *self.setting;
        let is_about_results = match effect {
            Effect::Comparing | Effect::Judging | Effect::Ending => true,
            Effect::Reports => value == "PATH",
            _ => false,
        };
        self.is_flag && is_about_results
    }

    /// The flag or the variable with its value, as a user writes it.
    pub(super) fn source(&self) -> String {
        let between = if self.is_flag { " " } else { "=" };
        format!("{}{between}{}", self.origin, self.text())
    }

    /// Parses the value with `read`.
    ///
    /// # Errors
    ///
    /// What is wrong with the value, and what was expected.
    pub(super) fn read<T>(&self, read: impl FnOnce(&str) -> Written<T>) -> Result<T, Misuse> {
        read(self.text()).map_err(|expected| self.wrong(expected))
    }

    /// The error message for a value that is not as `expected`.
    pub(crate) fn wrong(&self, expected: &str) -> Misuse {
        Misuse(grammar::wrong_value(&self.origin, self.text(), expected))
    }
}
