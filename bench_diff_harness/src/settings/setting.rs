//! A setting: a flag that can mostly also be set by an environment variable. And a setting that was given.

use bench_diff_system::exit::Misuse;

use self::Effect::{Comparing, Judging, Measuring, Selecting};
use super::environment::PREFIX;
use super::grammar::{self, Written};

/// A flag that can mostly also be set by an environment variable.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The name of the flag, without its dashes; empty if it has only a letter.
    pub(crate) name: &'static str,
    /// The placeholder for its value in the help; empty for a switch, which has no value.
    pub(crate) value: &'static str,
    pub(crate) effect: Effect,
    /// Empty if the help leaves it out.
    pub(crate) help: &'static str,
    /// True if it may be given more than once.
    pub(crate) may_repeat: bool,
    /// The short form of the flag.
    pub(crate) letter: Option<char>,
}

/// What a setting changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Which revision is compared with, and how it is built.
    Comparing,
    /// Which pairs run, and what is done with them.
    Selecting,
    /// How slots are measured.
    Measuring,
    /// How slots are judged, and how a run ends.
    Judging,
    Reports,
}

impl Effect {
    /// The heading of its section in the help.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Comparing => "Against another revision",
            Self::Judging => "Limits and verdicts",
            Self::Measuring => "Measuring",
            Self::Selecting => "Selection and output",
            Self::Reports => "Reports",
        }
    }
}

impl Setting {
    pub(crate) const fn is_switch(&self) -> bool {
        self.value.is_empty()
    }

    /// Returns whether a command that repeats a run needs this setting, because it can change a verdict.
    pub(super) fn is_repeated(&self) -> bool {
        // The command has its own seed and revision: a branch may be another commit by then.
        let is_of_one_run = ["seed", "against", "fail-fast"].contains(&self.name);
        matches!(self.effect, Comparing | Measuring | Judging) && !is_of_one_run
    }

    /// The flag as it is typed: `--alpha`.
    pub(super) fn typed(&self) -> String {
        match self.letter {
            Some(letter) if self.name.is_empty() => format!("-{letter}"),
            _ => format!("--{}", self.name),
        }
    }

    /// The flag with the placeholder for its value: `--alpha <RATE>`.
    pub(super) fn with_value(&self) -> String {
        let typed = self.typed();
        if self.is_switch() { typed } else { format!("{typed} <{}>", self.value) }
    }

    /// The name of its environment variable.
    pub(super) fn variable(&self) -> Option<String> {
        let has_one = self.effect != Selecting;
        has_one.then(|| format!("{PREFIX}{}", self.name.replace("-", "_").to_uppercase()))
    }

    pub(super) const fn letter(self, letter: char) -> Self {
        Self { letter: Some(letter), ..self }
    }

    pub(super) const fn many(self) -> Self {
        Self { may_repeat: true, ..self }
    }
}

/// A setting; a switch if `value` is empty.
pub(super) const fn setting(
    effect: Effect,
    name: &'static str,
    value: &'static str,
    help: &'static str,
) -> Setting {
    Setting { name, value, effect, help, may_repeat: false, letter: None }
}

/// The placeholders of a path.
const PACKAGE: &str = "{package}";
const BENCH: &str = "{bench}";

/// A setting that was given, and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub(super) setting: &'static Setting,
    /// The flag or the environment variable.
    pub(crate) origin: String,
    pub(crate) is_flag: bool,
    /// The value; `None` for a switch.
    pub(super) value: Option<String>,
}

/// The first given setting with this name.
pub(super) fn find<'g>(given: &'g [Given], name: &str) -> Option<&'g Given> {
    given.iter().find(|given| given.setting.name == name)
}

impl Given {
    /// The value as it was written; empty for a switch.
    pub(crate) fn text(&self) -> &str {
        self.value.as_deref().unwrap_or_default()
    }

    /// Returns whether this is a flag about verdicts, or about where to write them.
    pub(super) fn asks_for_results(&self) -> bool {
        let Setting { effect, value, .. } = *self.setting;
        let is_about_results = match effect {
            Comparing | Judging => true,
            Effect::Reports => value == "PATH",
            _ => false,
        };
        self.is_flag && is_about_results
    }

    /// The flag or the variable with its value, as a user writes it.
    pub(super) fn source(&self) -> String {
        let between = if self.is_flag { " " } else { "=" };
        format!("{}{between}{}", self.origin, self.text())
    }

    /// Parses the value with `read`.
    ///
    /// # Errors
    ///
    /// What is wrong with the value, and what was expected.
    pub(super) fn read<T>(&self, read: impl FnOnce(&str) -> Written<T>) -> Result<T, Misuse> {
        read(self.text()).map_err(|expected| self.wrong(expected))
    }

    /// The error message for a value that is not as `expected`.
    pub(crate) fn wrong(&self, expected: &str) -> Misuse {
        Misuse(grammar::wrong_value(&self.origin, self.text(), expected))
    }

    /// Requires a value that is a path, possibly with placeholders.
    ///
    /// # Errors
    ///
    /// If it is empty, or has braces that belong to no placeholder.
    pub(super) fn require_path(&self) -> Result<(), Misuse> {
        if self.text().is_empty() {
            return Err(self.wrong("expected a path"));
        }
        if self.filled("", "").contains(['{', '}']) {
            return Err(self.wrong(&format!("the placeholders of a path are {PACKAGE} and {BENCH}")));
        }
        Ok(())
    }

    /// The path with the placeholders replaced.
    pub(crate) fn filled(&self, package: &str, bench: &str) -> String {
        self.text().replace(PACKAGE, package).replace(BENCH, bench)
    }
}

#[cfg(test)]
mod tests {
    use bench_diff_report::FileFormat;

    use super::*;
    use crate::fixture::config_in;

    fn files(line: &str, environment: &[(&str, &str)]) -> Result<Vec<(FileFormat, Given)>, Misuse> {
        config_in(line, environment).map(|config| config.reports)
    }

    #[test]
    fn a_path_remembers_its_source() {
        let files = files("--json a.json", &[("BENCH_DIFF_CSV", "b.csv")]).unwrap();
        let sources = files.iter().map(|(format, path)| (*format, path.source()));
        let json = (FileFormat::Json, "--json a.json".to_owned());
        let csv = (FileFormat::Csv, "BENCH_DIFF_CSV=b.csv".to_owned());
        assert_eq!(sources.collect::<Vec<_>>(), [json, csv]);
    }

    #[test]
    fn placeholders_are_filled_in_and_others_are_refused() {
        let files_of_one = files("--csv {package}/{bench}-{bench}.csv", &[]).unwrap();
        let [(FileFormat::Csv, path)] = &files_of_one[..] else { panic!("{files_of_one:?}") };
        assert_eq!(path.filled("sorts", "stable"), "sorts/stable-stable.csv");
        for path in ["{pair}.json", "a{.json", "{Bench}", "{{bench}}"] {
            let error = files(&format!("--json {path}"), &[]).unwrap_err().0;
            let expected = format!(
                "invalid value '{path}' for '--json': the placeholders of a path are {{package}} and {{bench}}"
            );
            assert_eq!(error, expected);
        }
        assert!(files("--json=", &[]).is_err());
    }
}
