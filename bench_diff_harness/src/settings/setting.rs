//! A setting: a flag that can mostly also be set by an environment variable.

use self::Effect::{Ending, Judging, Measuring, Running, Usual};
use super::environment::PREFIX;

/// A flag that can mostly also be set by an environment variable.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The name of the flag, without its dashes; empty where there is only a letter.
    pub(crate) name: &'static str,
    /// The placeholder of its value in the help; empty of a switch, which has no value.
    pub(crate) value: &'static str,
    pub(crate) effect: Effect,
    /// Empty of one that the help leaves out.
    pub(crate) help: &'static str,
    /// True if it may be given more than once.
    pub(crate) may_repeat: bool,
    /// The flag in short.
    pub(crate) letter: Option<char>,
    /// The flags that would be ignored beside it.
    pub(super) useless: &'static [Useless],
}

/// Flags that would be ignored beside another one.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Useless {
    /// These flags, for this reason.
    Flags(&'static [&'static str], &'static str),
    /// All flags with one of these effects.
    Effects(&'static [Effect], &'static str),
}

impl Useless {
    /// The reason why this flag would be ignored.
    pub(super) fn reason(&self, flag: &Setting) -> Option<&'static str> {
        match self {
            Self::Flags(names, reason) => names.contains(&flag.name).then_some(reason),
            Self::Effects(effects, reason) => effects.contains(&flag.effect).then_some(reason),
        }
    }
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
        self.value.is_empty()
    }

    /// Returns whether a repetition of a run needs it: it changes a verdict, and not only in one run.
    pub(super) fn is_repeated(&self) -> bool {
        // The name of a branch is another commit tomorrow.
        let is_of_one_run = ["seed", "against", "fail-fast"].contains(&self.name);
        matches!(self.effect, Measuring | Judging | Ending) && !is_of_one_run
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
        let typed = self.typed();
        if self.is_switch() { typed } else { format!("{typed} <{}>", self.value) }
    }

    /// The name of its environment variable. What makes another kind of run has none.
    pub(super) fn variable(&self) -> Option<String> {
        let has_one = !matches!(self.effect, Usual | Running) && self.name != "self-test";
        has_one.then(|| format!("{PREFIX}{}", self.name.replace("-", "_").to_uppercase()))
    }

    pub(super) const fn letter(self, letter: char) -> Self {
        Self { letter: Some(letter), ..self }
    }

    pub(super) const fn many(self) -> Self {
        Self { may_repeat: true, ..self }
    }

    pub(super) const fn useless(self, useless: &'static [Useless]) -> Self {
        Self { useless, ..self }
    }
}

/// A switch if nothing stands for its value.
pub(super) const fn setting(
    effect: Effect,
    name: &'static str,
    value: &'static str,
    help: &'static str,
) -> Setting {
    Setting { name, value, effect, help, may_repeat: false, letter: None, useless: &[] }
}
