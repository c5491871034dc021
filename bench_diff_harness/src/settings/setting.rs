//! A setting: a flag that can mostly also be set by an environment variable, and what it does.

use self::Effect::{Ending, Judging, Measuring, Running, Usual};
use super::config::Config;
use super::environment::PREFIX;
use super::given::Given;

/// A flag that can mostly also be set by an environment variable.
pub(crate) struct Setting {
    /// The name of the flag, without its dashes; empty where there is only a letter.
    pub(crate) name: &'static str,
    /// The placeholder of its value in the help; `None` for a switch, which has no value.
    pub(crate) value: Option<&'static str>,
    pub(crate) effect: Effect,
    /// Empty of one that the help leaves out.
    pub(crate) help: &'static str,
    /// The default in the help, if there is something to say.
    pub(crate) default: Option<fn() -> String>,
    /// True if a repetition of a run needs it.
    pub(crate) is_repeated: bool,
    /// True if there is such a variable.
    pub(super) has_variable: bool,
    /// True if it may be given more than once.
    pub(crate) may_repeat: bool,
    /// The flag in short.
    pub(crate) letter: Option<char>,
    take: Take,
}

/// The use of a value.
enum Take {
    /// It is a setting of a pair, which is read by its name; or it is looked at elsewhere, or only the
    /// standard harness minds it.
    OfPair,
    Switch(fn(&mut Config)),
    /// Any other request; an error is the expected value.
    Other(fn(&mut Config, &Given) -> Result<(), String>),
}

/// The effect of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// That of flags that every test harness has.
    Usual,
    /// The pairs that run, and their order.
    Running,
    /// The measurement of slots.
    Measuring,
    /// The judgement of slots.
    Judging,
    /// The end of a run with these verdicts, whoever made them.
    Ending,
    Reports,
    /// The folder of stored runs.
    Storing,
    /// The reading of stored runs.
    Reading,
}

impl Effect {
    /// The title of its part of the help.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Usual | Self::Running => "Options",
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

    /// As it is typed: `--alpha`.
    pub(super) fn typed(&self) -> String {
        match self.letter {
            Some(letter) if self.name.is_empty() => format!("-{letter}"),
            _ => format!("--{}", self.name),
        }
    }

    /// With what stands for its value: `--alpha <RATE>`.
    pub(super) fn with_value(&self) -> String {
        self.value.map_or_else(|| self.typed(), |value| format!("{} <{value}>", self.typed()))
    }

    /// The name of its environment variable.
    pub(crate) fn variable(&self) -> String {
        format!("{PREFIX}{}", self.name.replace("-", "_").to_uppercase())
    }

    /// Does what a value asks for.
    ///
    /// # Errors
    ///
    /// The expected value.
    pub(super) fn apply(&self, config: &mut Config, given: &Given) -> Result<(), String> {
        match self.take {
            Take::OfPair => config.pairs.read(self.name, given.value.as_deref().unwrap_or("1"))?,
            Take::Switch(act) => act(config),
            Take::Other(take) => take(config, given)?,
        }
        Ok(())
    }

    pub(super) const fn sets(self, act: fn(&mut Config)) -> Self {
        Self { take: Take::Switch(act), ..self }
    }

    pub(super) const fn takes(self, take: fn(&mut Config, &Given) -> Result<(), String>) -> Self {
        Self { take: Take::Other(take), ..self }
    }

    pub(super) const fn or(self, default: fn() -> String) -> Self {
        Self { default: Some(default), ..self }
    }

    pub(super) const fn letter(self, letter: char) -> Self {
        Self { letter: Some(letter), ..self }
    }

    /// Has no variable, since it makes another kind of run.
    pub(super) const fn flag_only(self) -> Self {
        Self { has_variable: false, ..self }
    }

    pub(super) const fn many(self) -> Self {
        Self { may_repeat: true, ..self }
    }

    /// Changes no verdict, or only in one run.
    pub(super) const fn not_repeated(self) -> Self {
        Self { is_repeated: false, ..self }
    }
}

/// A setting of a pair, unless it says what else it does; a switch if nothing stands for its value.
pub(super) const fn setting(
    effect: Effect,
    name: &'static str,
    value: &'static str,
    help: &'static str,
) -> Setting {
    Setting {
        name,
        value: if value.is_empty() { None } else { Some(value) },
        effect,
        help,
        default: None,
        is_repeated: matches!(effect, Measuring | Judging | Ending),
        has_variable: !matches!(effect, Usual | Running),
        may_repeat: false,
        letter: None,
        take: Take::OfPair,
    }
}
