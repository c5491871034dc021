//! Errors in flags and variables.

use std::fmt;

/// The error, with a remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UsageError(String);

impl UsageError {
    /// The error of a value that a flag or a variable cannot have.
    pub(crate) fn new(origin: &str, value: &str, expected: &str) -> Self {
        Self(format!("invalid value '{value}' for '{origin}': {expected}"))
    }

    /// The error of an unknown variable that looks like a setting, with the one that was probably meant.
    pub(super) fn unknown_variable(name: &str, tip: &str) -> Self {
        Self(format!("unexpected variable '{name}' found in the environment\n\n  tip: {tip}"))
    }

    /// The error of settings that exclude each other.
    pub(crate) fn conflict(reason: String) -> Self {
        Self(reason)
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
