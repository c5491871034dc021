//! A setting that was given, and its origin.

use super::grammar;

/// A setting that was given, and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    /// The name of its flag.
    pub(super) name: &'static str,
    pub(super) origin: Origin,
    /// The value; `None` for a switch.
    pub(super) value: Option<String>,
}

/// The origin of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Flag,
    /// The name of the variable.
    Variable(String),
}

impl Given {
    /// The value as it was written; empty for a switch.
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

    /// The flag or the variable with its value, as written by a user.
    pub(super) fn source(&self) -> String {
        let between = if self.is_flag() { " " } else { "=" };
        format!("{}{between}{}", self.origin(), self.text())
    }

    /// The value and its origin.
    pub(super) fn in_force(&self) -> String {
        format!("{}, from {}", self.value.as_deref().unwrap_or("on"), self.origin())
    }

    pub(super) fn wrong(&self, expected: &str) -> String {
        grammar::wrong_value(&self.origin(), self.text(), expected)
    }
}
