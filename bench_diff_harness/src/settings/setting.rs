//! A setting: a flag that can also be set by an environment variable, and what it does.

use self::Effect::{Ending, Judging, Measuring};
use super::config::Config;
use super::environment::PREFIX;
use super::given::Given;

/// A flag that can also be set by an environment variable.
pub(crate) struct Setting {
    /// The name of the flag.
    pub(crate) name: &'static str,
    /// What stands for its value in the help; none of a switch, which has no value.
    pub(crate) value: Option<&'static str>,
    pub(crate) effect: Effect,
    pub(crate) help: &'static str,
    /// What goes without it, where there is something to say.
    pub(crate) default: Option<fn() -> String>,
    /// Whether a repetition of a run needs it.
    pub(crate) is_repeated: bool,
    /// Whether there is such a variable.
    pub(super) has_variable: bool,
    /// The flag in short.
    pub(crate) letter: Option<char>,
    /// Does what a value asks for, or says what would be right.
    pub(crate) take: Take,
}

type Take = fn(&mut Config, &Given) -> Result<(), String>;

/// What a setting has an effect on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// How slots are measured.
    Measuring,
    /// What is said of slots.
    Judging,
    /// What is made of verdicts, by whomever they were made.
    Ending,
    Reports,
    /// Where runs are stored.
    Storing,
    /// What is read of stored ones.
    Reading,
}

impl Effect {
    /// The title of its part of the help.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Measuring | Self::Judging | Self::Ending => "Measuring and judging",
            Self::Reports => "Reports",
            Self::Storing | Self::Reading => "Stored runs",
        }
    }
}

impl Setting {
    pub(crate) const fn is_switch(&self) -> bool {
        self.value.is_none()
    }

    /// The name of its environment variable.
    pub(crate) fn variable(&self) -> String {
        format!("{PREFIX}{}", self.name.replace("-", "_").to_uppercase())
    }

    pub(super) const fn new(
        effect: Effect,
        name: &'static str,
        value: &'static str,
        help: &'static str,
        take: Take,
    ) -> Self {
        let is_repeated = matches!(effect, Measuring | Judging | Ending);
        Self {
            name,
            value: Some(value),
            effect,
            help,
            default: None,
            is_repeated,
            has_variable: true,
            letter: None,
            take,
        }
    }

    pub(super) const fn switch(effect: Effect, name: &'static str, help: &'static str, take: Take) -> Self {
        Self { value: None, ..Self::new(effect, name, "", help, take) }
    }

    pub(super) const fn or(self, default: fn() -> String) -> Self {
        Self { default: Some(default), ..self }
    }

    /// Has no variable, since it makes another kind of run.
    pub(super) const fn flag_only(self) -> Self {
        Self { has_variable: false, ..self }
    }

    /// Changes no verdict, or only in one run.
    pub(super) const fn not_repeated(self) -> Self {
        Self { is_repeated: false, ..self }
    }
}
