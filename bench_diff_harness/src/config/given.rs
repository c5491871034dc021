//! The settings that were given, and what gave them.

use super::UsageError;
use crate::cli::Typed;
use crate::environment::Environment;
use crate::settings::{SETTINGS, Setting};
use crate::values;

/// The settings that were given, each with the flag or the variable that gave it. A switch has no value where a flag
/// gave it.
pub(super) struct Given(Vec<(&'static Setting, Origin, String)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Flag,
    Environment,
}

impl Origin {
    /// The flag or the variable.
    fn name(self, setting: &Setting) -> String {
        match self {
            Self::Flag => format!("--{}", setting.name),
            Self::Environment => setting.twin(),
        }
    }
}

impl Given {
    /// Takes each setting from its flag, or else from its variable.
    pub(super) fn new(typed: &Typed, environment: &Environment) -> Result<Self, UsageError> {
        let mut given = Vec::new();
        for setting in &SETTINGS {
            let value = typed.settings.iter().find(|(name, _)| *name == setting.name);
            let switch = typed.switches.contains(&setting.name).then(String::new);
            let flag = value.map(|(_, value)| value.clone()).or(switch);
            let twin = setting.twin();
            let variable = environment.get(&twin);
            match (flag, variable) {
                (Some(value), _) => given.push((setting, Origin::Flag, value)),
                (None, Some(value)) if setting.is_switch() => {
                    let on = values::switch(value)
                        .map_err(|expected| UsageError::new(twin.as_str(), value, expected))?;
                    if on {
                        given.push((setting, Origin::Environment, String::new()));
                    }
                }
                (None, Some(value)) => given.push((setting, Origin::Environment, value.to_owned())),
                (None, None) => {}
            }
        }
        Ok(Self(given))
    }

    fn get(&self, name: &str) -> Option<&(&'static Setting, Origin, String)> {
        self.0.iter().find(|(setting, ..)| setting.name == name)
    }

    /// The meaning of a value.
    pub(super) fn value<T>(
        &self,
        name: &str,
        parse: fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, UsageError> {
        let Some((setting, origin, value)) = self.get(name) else { return Ok(None) };
        match parse(value) {
            Ok(meaning) => Ok(Some(meaning)),
            Err(expected) => Err(wrong(setting, *origin, value, expected)),
        }
    }

    /// The meaning of a value, with the flag or the variable that gave it.
    pub(super) fn value_and_origin<T>(
        &self,
        name: &str,
        parse: fn(&str) -> Result<T, String>,
    ) -> Result<Option<(T, String)>, UsageError> {
        Ok(self.value(name, parse)?.zip(self.origin(name)))
    }

    pub(super) fn switch(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn by_flag(&self, name: &str) -> bool {
        self.get(name).is_some_and(|(_, origin, _)| *origin == Origin::Flag)
    }

    /// What gave it: the flag or the variable.
    pub(super) fn origin(&self, name: &str) -> Option<String> {
        self.get(name).map(|(setting, origin, _)| origin.name(setting))
    }

    /// What gave a value, with the value, as one writes them.
    pub(super) fn source(&self, name: &str) -> Option<String> {
        let (setting, origin, value) = self.get(name)?;
        let between = match origin {
            Origin::Flag => " ",
            Origin::Environment => "=",
        };
        Some(format!("{}{between}{value}", origin.name(setting)))
    }

    /// The value and what gave it, where something did.
    pub(super) fn in_force(&self, name: &str) -> Option<String> {
        let (setting, origin, value) = self.get(name)?;
        let value = if setting.is_switch() { "on" } else { value };
        Some(format!("{value}, from {}", origin.name(setting)))
    }

    /// The flags that a repetition of the run needs, besides the seed, which the run may have drawn itself.
    pub(super) fn repeat(&self, ignored_too: bool) -> Vec<String> {
        let mut words = Vec::new();
        for (setting, _, value) in self.0.iter().filter(|(setting, ..)| setting.is_repeated) {
            words.push(format!("--{}", setting.name));
            if !setting.is_switch() {
                words.push(value.clone());
            }
        }
        if ignored_too {
            words.push("--include-ignored".to_owned());
        }
        words
    }
}

fn wrong(setting: &Setting, origin: Origin, value: &str, expected: String) -> UsageError {
    UsageError::new(origin.name(setting), value, expected)
}
