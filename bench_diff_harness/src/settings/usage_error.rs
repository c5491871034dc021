//! What cannot be meant by what was typed or set.

use std::fmt;

/// What cannot be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UsageError {
    Value {
        /// The flag or the variable.
        origin: String,
        value: String,
        expected: String,
    },
    /// Settings that do not go together, and why.
    Conflict(String),
}

impl UsageError {
    /// A value that a flag or a variable cannot have, and what would be right.
    pub(crate) fn new(
        origin: impl Into<String>,
        value: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self::Value { origin: origin.into(), value: value.into(), expected: expected.into() }
    }

    pub(crate) fn conflict(reason: impl Into<String>) -> Self {
        Self::Conflict(reason.into())
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { origin, value, expected } => {
                write!(f, "invalid value '{value}' for '{origin}': {expected}")
            }
            Self::Conflict(reason) => f.write_str(reason),
        }
    }
}
