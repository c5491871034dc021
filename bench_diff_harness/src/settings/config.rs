//! What the command line and the environment ask for.

use std::time::Duration;

use bench_diff_core::Seed;
pub(crate) use bench_diff_report::{FileFormat, Format};
use bench_diff_revision::Benches;
use bench_diff_system::exit::Misuse;

use super::choices::When;
use super::environment::Surroundings;
use super::pair_settings::PairSettings;
use super::setting::{Effect, Given, Setting, find};

/// Everything that the command line and the environment ask of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Config {
    pub(crate) mode: Mode,
    pub(crate) selection: Selection,
    /// The settings that override those of the attributes.
    pub(crate) pairs: PairSettings,
    pub(crate) seed: Option<Seed>,
    pub(crate) against: Against,
    /// True if functions whose machine code is unchanged are measured as well.
    pub(crate) no_proof: bool,
    /// True if random layouts are tried on macOS.
    pub(crate) layouts_on_macos: bool,
    pub(crate) timeout: Option<TimeLimit>,
    /// The time for the whole run, without builds.
    pub(crate) budget: Option<Duration>,
    pub(crate) strict: bool,
    pub(crate) fail_fast: bool,
    pub(crate) format: Format,
    pub(crate) verbose: bool,
    /// The reports to write, in the order of the help.
    pub(crate) reports: Vec<(FileFormat, Given)>,
    /// When to report to a GitHub job.
    pub(crate) github: When,
    pub(crate) color: When,
    pub(crate) surroundings: Surroundings,
    /// The settings that were given.
    pub(crate) given: Vec<Given>,
}

/// What flags and variables say about the other revision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Against {
    /// A revision or a folder, as it was given.
    pub(crate) name: Option<String>,
    pub(crate) benches: Benches,
    /// Its name of the package, if bench_diff cannot find it by folder or name.
    pub(crate) package: Option<String>,
}

/// A time limit, and what set it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimeLimit {
    pub(crate) time: Duration,
    /// The flag or the variable, with the value as it was written.
    pub(crate) source: String,
}

/// What a run does with the pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Lists them.
    List,
    /// Calls each function once.
    #[default]
    Test,
    /// Measures them.
    Measure,
}

/// Which pairs a run takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    pub(crate) filters: Vec<String>,
    pub(crate) skip: Vec<String>,
    pub(crate) exact: bool,
    pub(crate) ignored: Ignored,
}

impl Selection {
    /// Returns whether a filter selects this name, or there is none.
    pub(crate) fn selects(&self, name: &str) -> bool {
        self.filters.is_empty() || self.has(&self.filters, name)
    }

    pub(crate) fn skips(&self, name: &str) -> bool {
        self.has(&self.skip, name)
    }

    fn has(&self, filters: &[String], name: &str) -> bool {
        filters.iter().any(|filter| if self.exact { name == filter } else { name.contains(filter) })
    }
}

/// Whether ignored pairs run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ignored {
    #[default]
    Skipped,
    Only,
    Included,
}

impl Config {
    /// The time for the whole run; `None` if there is no limit. A process of nextest is no whole run.
    pub(crate) fn budget_of_run(&self) -> Option<Duration> {
        self.budget.filter(|_| self.surroundings.nextest_run.is_none())
    }

    /// Refuses flags about results in a run that has none, such as a test.
    pub(crate) fn refuse_results_of_tests(&self) -> Result<(), Misuse> {
        let is_useless = |given: &&Given| self.mode == Mode::Test && given.asks_for_results();
        self.given.iter().find(is_useless).map_or(Ok(()), |flag| {
            Err(Misuse(format!(
                "{} is about results, but tests (`--test`, or no `--bench`) measure nothing",
                flag.origin
            )))
        })
    }

    /// The setting with this name, if it was given.
    pub(crate) fn given(&self, name: &str) -> Option<&Given> {
        find(&self.given, name)
    }

    /// Returns whether a flag gave this setting.
    pub(crate) fn is_typed(&self, name: &str) -> bool {
        self.given(name).is_some_and(|given| given.is_flag)
    }

    /// The flags, with their values, that a command needs besides the seed to repeat this run.
    pub(crate) fn repeated(&self) -> Vec<String> {
        let mut flags = Vec::new();
        // A job may set `BENCH_DIFF_AGAINST_BENCHES` for its other steps. Nextest ignores a budget.
        let applies = |setting: &Setting| match setting.name {
            "budget" => self.budget_of_run().is_some(),
            _ => setting.effect != Effect::Comparing || self.against.name.is_some(),
        };
        let repeated = |given: &&Given| given.setting.is_repeated() && applies(given.setting);
        for given in self.given.iter().filter(repeated) {
            flags.push(format!("--{}", given.setting.name));
            flags.extend(given.value.clone());
        }
        if self.selection.ignored != Ignored::Skipped {
            flags.push("--include-ignored".to_owned());
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::config_in as config;

    #[test]
    fn a_revision_is_named_with_its_benches_and_package() {
        let line = "--against main --against-benches now --against-package old";
        let config = config(line, &[]).unwrap();
        let against =
            Against { name: Some("main".to_owned()), benches: Benches::Now, package: Some("old".to_owned()) };
        assert_eq!(config.against, against);
        assert_eq!(
            config.repeated(),
            [["--against-benches", "now"], ["--against-package", "old"],].concat(),
            "not the name, which may be another commit by then"
        );
    }

    #[test]
    fn variables_set_the_same() {
        let package = ("BENCH_DIFF_AGAINST_PACKAGE", "old");
        let Against { name, package: of_old, .. } =
            config("", &[("BENCH_DIFF_AGAINST", "base"), package]).unwrap().against;
        assert_eq!([name.as_deref(), of_old.as_deref()], [Some("base"), Some("old")]);
        let without = config("", &[package]).unwrap();
        assert_eq!(without.repeated(), [""; 0], "for the other steps of the job");
    }

    #[test]
    fn wrong_values_are_refused() {
        for (line, expected) in [
            ("--against=", "expected a revision or a folder"),
            ("--against main --against base", "cannot be used multiple times"),
            ("--against main --against-benches old", "expected auto or now or own"),
            ("--against main --against-package=", "expected the name of a package"),
            ("--against-benches now", "--against-benches needs `--against`"),
        ] {
            let error = config(line, &[]).unwrap_err().0;
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
