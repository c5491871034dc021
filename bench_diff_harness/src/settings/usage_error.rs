//! What cannot be meant by what was typed or set.

use std::fmt;

/// Why it cannot be meant, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UsageError(String);

impl UsageError {
    /// A value that a flag or a variable cannot have.
    pub(crate) fn new(origin: &str, value: &str, expected: &str) -> Self {
        Self(format!("invalid value '{value}' for '{origin}': {expected}"))
    }

    /// A variable that looks like a setting, with one that was probably meant.
    pub(super) fn unknown_variable(name: &str, tip: &str) -> Self {
        Self(format!("unexpected variable '{name}' found in the environment\n\n  tip: {tip}"))
    }

    /// Settings that do not go together.
    pub(crate) fn conflict(reason: String) -> Self {
        Self(reason)
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
