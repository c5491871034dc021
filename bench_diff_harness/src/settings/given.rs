//! A setting that was given, and what gave it.

use super::usage_error::UsageError;

/// A setting that was given, and what gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    /// The name of its flag.
    pub(super) name: &'static str,
    pub(super) origin: Origin,
    /// The value; none of a switch.
    pub(super) value: Option<String>,
}

/// What gives a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Flag,
    /// The name of the variable.
    Variable(String),
}

impl Given {
    /// The value as it was written; empty of a switch.
    pub(super) fn text(&self) -> &str {
        self.value.as_deref().unwrap_or_default()
    }

    pub(super) fn is_flag(&self) -> bool {
        self.origin == Origin::Flag
    }

    /// The flag or the variable.
    pub(super) fn origin(&self) -> String {
        match &self.origin {
            Origin::Flag => format!("--{}", self.name),
            Origin::Variable(name) => name.clone(),
        }
    }

    /// The flag or the variable with its value, as one writes them.
    pub(super) fn source(&self) -> String {
        let between = if self.is_flag() { " " } else { "=" };
        format!("{}{between}{}", self.origin(), self.text())
    }

    /// The value, and what gave it.
    pub(super) fn in_force(&self) -> String {
        format!("{}, from {}", self.value.as_deref().unwrap_or("on"), self.origin())
    }

    pub(super) fn wrong(&self, expected: &str) -> UsageError {
        UsageError::new(&self.origin(), self.text(), expected)
    }
}
