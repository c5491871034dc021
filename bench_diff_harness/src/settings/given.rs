//! The settings that were given, and what gave them.

use crate::settings::cli::Typed;
use crate::settings::environment::Environment;
use crate::settings::grammar;
use crate::settings::table::{SETTINGS, Setting};
use crate::settings::usage_error::UsageError;

/// A setting that was given, and what gave it.
pub(crate) struct Given {
    pub(super) setting: &'static Setting,
    origin: Origin,
    /// The value; empty of a switch.
    pub(crate) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Flag,
    Environment,
}

impl Given {
    /// All of them, in the order of the help: each from its flag, or else from its variable.
    pub(super) fn all(typed: &Typed, environment: &Environment) -> Result<Vec<Self>, UsageError> {
        SETTINGS.iter().filter_map(|setting| Self::one(setting, typed, environment).transpose()).collect()
    }

    fn one(
        setting: &'static Setting,
        typed: &Typed,
        environment: &Environment,
    ) -> Result<Option<Self>, UsageError> {
        let value = typed.settings.iter().find(|(name, _)| *name == setting.name);
        let switch = typed.switches.contains(&setting.name).then(String::new);
        if let Some(text) = value.map(|(_, value)| value.clone()).or(switch) {
            return Ok(Some(Self { setting, origin: Origin::Flag, text }));
        }
        let Some(value) = environment.get(&setting.twin()) else { return Ok(None) };
        let given = Self { setting, origin: Origin::Environment, text: value.to_owned() };
        if !setting.is_switch() {
            return Ok(Some(given));
        }
        let is_on = grammar::switch(value).map_err(|expected| given.wrong(expected))?;
        Ok(is_on.then(|| Self { text: String::new(), ..given }))
    }

    pub(super) fn is_flag(&self) -> bool {
        self.origin == Origin::Flag
    }

    /// The flag or the variable.
    pub(crate) fn origin(&self) -> String {
        match self.origin {
            Origin::Flag => format!("--{}", self.setting.name),
            Origin::Environment => self.setting.twin(),
        }
    }

    /// The flag or the variable with its value, as one writes them.
    pub(crate) fn source(&self) -> String {
        let between = if self.is_flag() { " " } else { "=" };
        format!("{}{between}{}", self.origin(), self.text)
    }

    /// The value, and what gave it.
    pub(super) fn in_force(&self) -> String {
        let value = if self.setting.is_switch() { "on" } else { &self.text };
        format!("{value}, from {}", self.origin())
    }

    pub(super) fn wrong(&self, expected: String) -> UsageError {
        UsageError::new(self.origin(), self.text.as_str(), expected)
    }

    /// The flags that a repetition of the run needs, besides the seed, which the run may have drawn itself.
    pub(super) fn repeat(given: &[Self], ignored_too: bool) -> Vec<String> {
        let repeated = given.iter().filter(|given| given.setting.is_repeated);
        let words = repeated.flat_map(|Self { setting, text, .. }| {
            let value = (!setting.is_switch()).then(|| text.clone());
            [format!("--{}", setting.name)].into_iter().chain(value)
        });
        words.chain(ignored_too.then(|| "--include-ignored".to_owned())).collect()
    }
}
