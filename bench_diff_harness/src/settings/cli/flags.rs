//! Every flag with what it does: those of the settings, and here those without an environment variable.

use super::typed::Typed;
use crate::settings::setting::Setting;
use crate::settings::table::SETTINGS;

pub(super) const USAGE: &str = "cargo bench [FILTER...] -- [OPTIONS]";

/// A flag of the command line.
#[derive(Clone, Copy)]
pub(super) struct Flag {
    /// Without its dashes; empty where there is only a letter.
    pub(super) name: &'static str,
    pub(super) letter: Option<char>,
    /// Empty of one that the help leaves out.
    pub(super) help: &'static str,
    pub(super) may_repeat: bool,
    pub(super) action: Action,
}

/// What a flag does to what was typed, given its name. What has a value says what stands for it in the help.
#[derive(Clone, Copy)]
pub(super) enum Action {
    Switch(fn(&mut Typed, &'static str)),
    /// A value that is not as it must be is refused with what would be right.
    Text(&'static str, fn(&mut Typed, &'static str, String) -> Result<(), &'static str>),
}

impl Flag {
    const fn new(name: &'static str, help: &'static str, action: Action) -> Self {
        Self { name, letter: None, help, may_repeat: matches!(action, Action::Switch(_)), action }
    }

    const fn switch(name: &'static str, help: &'static str, set: fn(&mut Typed, &'static str)) -> Self {
        Self::new(name, help, Action::Switch(set))
    }

    const fn text(
        name: &'static str,
        value: &'static str,
        help: &'static str,
        set: fn(&mut Typed, &'static str, String) -> Result<(), &'static str>,
    ) -> Self {
        Self::new(name, help, Action::Text(value, set))
    }

    const fn letter(self, letter: char) -> Self {
        Self { letter: Some(letter), ..self }
    }

    const fn may_repeat(self) -> Self {
        Self { may_repeat: true, ..self }
    }

    /// Accepted because the standard harness knows it.
    const fn without_effect(name: &'static str) -> Self {
        Self::switch(name, "", |_, _| {})
    }

    pub(super) fn of(setting: &'static Setting) -> Self {
        let flag = match setting.value {
            None => Self::switch(setting.name, setting.help, |typed, name| typed.switches.push(name)),
            Some(value) => Self::text(setting.name, value, setting.help, |typed, name, value| {
                typed.settings.push((name, value));
                Ok(())
            }),
        };
        Self { letter: setting.letter, may_repeat: setting.may_repeat || setting.is_switch(), ..flag }
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
        match self.action {
            Action::Switch(_) => self.typed(),
            Action::Text(value, _) => format!("{} <{value}>", self.typed()),
        }
    }
}

/// The flags without a variable, in the order of the help.
pub(super) const OWN: [Flag; 22] = [
    Flag::switch("exact", "Match a filter against the whole name", |typed, _| typed.exact = true),
    Flag::text(
        "skip",
        "FILTER",
        "Leave out pairs whose name contains this; may be repeated",
        |typed, _, filter| {
            typed.skip.push(filter);
            Ok(())
        },
    )
    .may_repeat(),
    Flag::switch("ignored", "Run only ignored pairs", |typed, _| typed.ignored = true),
    Flag::switch("include-ignored", "Run ignored pairs as well", |typed, _| typed.include_ignored = true),
    Flag::switch("list", "List the pairs", |typed, _| typed.list = true),
    Flag::switch("test", "Run each function once and measure nothing", |typed, _| typed.test = true),
    // Cargo says so by itself.
    Flag::switch("bench", "", |typed, _| typed.bench = true),
    Flag::switch("quiet", "The same as --format terse", |typed, _| typed.quiet = true).letter('q'),
    Flag::switch(
        "shuffle",
        "Run the pairs in a random order, which the seed decides; groups stay together",
        |typed, _| typed.shuffle = true,
    ),
    Flag::text(
        "shuffle-seed",
        "NUMBER",
        "Run them in the random order of this number",
        |typed, _, number| {
            typed.shuffle_seed =
                Some(number.parse().map_err(|_| "expected a whole number, at least 0 and below 2^64")?);
            Ok(())
        },
    ),
    Flag::text("color", "WHEN", "auto, always or never [default: auto]", |typed, _, when| {
        typed.color = Some(when);
        Ok(())
    }),
    Flag::switch("help", "Print this help, with the value of each setting and its source", |typed, _| {
        typed.help = true;
    })
    .letter('h'),
    Flag::text("", "FLAG", "", |_, _, _| Ok(())).letter('Z').may_repeat(),
    Flag::without_effect("nocapture"),
    Flag::without_effect("no-capture"),
    Flag::without_effect("show-output"),
    Flag::without_effect("report-time"),
    Flag::without_effect("ensure-time"),
    Flag::without_effect("exclude-should-panic"),
    Flag::without_effect("force-run-in-process"),
    Flag::text("test-threads", "VALUE", "", |_, _, _| Ok(())).may_repeat(),
    Flag::text("logfile", "VALUE", "", |typed, _, _| {
        typed.logfile = true;
        Ok(())
    })
    .may_repeat(),
];

/// Flags of cargo that are easily put behind the `--`.
pub(super) const OF_CARGO: [&str; 14] = [
    "all-features",
    "benches",
    "features",
    "jobs",
    "locked",
    "manifest-path",
    "no-default-features",
    "no-fail-fast",
    "no-run",
    "offline",
    "package",
    "profile",
    "target",
    "workspace",
];

/// Every flag that there is.
pub(super) fn all() -> Vec<Flag> {
    OWN.into_iter().chain(SETTINGS.iter().map(Flag::of)).collect()
}

/// The names of those that have one.
pub(super) fn names() -> Vec<&'static str> {
    all().into_iter().map(|flag| flag.name).filter(|name| !name.is_empty()).collect()
}

/// The flag of this name.
pub(super) fn named(name: &str) -> Option<Flag> {
    all().into_iter().find(|flag| flag.name == name && !name.is_empty())
}

/// The flag of this letter.
pub(super) fn lettered(letter: char) -> Option<Flag> {
    all().into_iter().find(|flag| flag.letter == Some(letter))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_flag_is_found_by_a_name_of_its_own() {
        let names: Vec<&str> = all().iter().map(|flag| flag.name).collect();
        let different: BTreeSet<&str> = names.iter().copied().chain(OF_CARGO).collect();
        assert_eq!(different.len(), names.len() + OF_CARGO.len());
        assert!(all().iter().all(|flag| flag.letter == Some('Z') || named(flag.name).is_some()));
        assert!(named("").is_none());
        let letters: Vec<char> = all().iter().filter_map(|flag| flag.letter).collect();
        assert_eq!(letters, ['q', 'h', 'Z', 'v']);
    }
}
