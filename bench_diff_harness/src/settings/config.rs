//! What the command line and the environment mean.

use std::time::Duration;

use bench_diff_core::{OrderPolicy, Seed};

use super::cli::Typed;
use super::color::{Color, color};
use super::environment::Environment;
use super::files::Files;
use super::github::Github;
use super::given::Given;
use super::pair::PairSettings;
use super::stored::{Stored, refuse_what_is_useless};
use super::usage_error::UsageError;

/// Everything that a run is told from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Config {
    pub(crate) mode: Mode,
    pub(crate) selection: Selection,
    /// What goes before the attributes.
    pub(crate) pairs: PairSettings,
    pub(crate) seed: Option<Seed>,
    pub(crate) shuffle: Shuffle,
    pub(crate) order: OrderPolicy,
    pub(crate) control: bool,
    pub(crate) isolate: bool,
    pub(crate) timeout: Option<TimeLimit>,
    pub(crate) strict: bool,
    pub(crate) fail_fast: bool,
    pub(crate) format: Format,
    pub(crate) verbose: bool,
    pub(crate) files: Files,
    pub(crate) github: Github,
    pub(crate) stored: Stored,
    pub(crate) color: Color,
    pub(crate) surroundings: Surroundings,
    /// What was asked for in vain.
    pub(crate) warnings: Vec<String>,
    /// The flags, with their values, that a repetition of this run needs beside its seed.
    pub(crate) repeat: Vec<String>,
}

/// A length of time that something must not exceed, and what set it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimeLimit {
    pub(crate) time: Duration,
    /// The flag or the variable, with the value as it was written.
    pub(crate) source: String,
}

/// What to do with the pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    List,
    #[default]
    Test,
    Measure,
}

/// Which pairs are meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    pub(crate) filters: Vec<String>,
    pub(crate) skip: Vec<String>,
    pub(crate) exact: bool,
    pub(crate) ignored: Ignored,
}

impl Selection {
    /// Whether the filters leave a pair of this name.
    pub(crate) fn holds(&self, name: &str) -> bool {
        let matches = |filter: &String| {
            if self.exact { name == *filter } else { name.contains(filter.as_str()) }
        };
        (self.filters.is_empty() || self.filters.iter().any(matches)) && !self.skip.iter().any(matches)
    }
}

/// What happens to ignored pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ignored {
    #[default]
    Skipped,
    Only,
    Included,
}

/// In which order the pairs run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shuffle {
    #[default]
    Never,
    /// By the seed of the run.
    BySeed,
    By(u64),
}

/// How results are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    #[default]
    Pretty,
    Terse,
    Json,
    Junit,
    Bencher,
}

impl Format {
    /// Every one.
    pub(crate) const ALL: [Self; 5] = [Self::Pretty, Self::Terse, Self::Json, Self::Junit, Self::Bencher];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pretty => "pretty",
            Self::Terse => "terse",
            Self::Json => "json",
            Self::Junit => "junit",
            Self::Bencher => "bencher",
        }
    }
}

/// Who else is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    /// A continuous integration job, which has no terminal to redraw.
    pub(crate) ci: bool,
    /// Nextest, which runs every pair in a process of its own.
    pub(crate) nextest: bool,
    /// How many tests nextest runs at a time.
    pub(crate) test_threads: Option<usize>,
}

impl Config {
    /// The meaning of what was typed and of what the environment says.
    pub(crate) fn new(typed: Typed, environment: &Environment) -> Result<Self, UsageError> {
        let given = Given::all(&typed, environment)?;
        refuse_what_is_useless(&typed, &given)?;
        let mut config = Self {
            mode: match (typed.list, typed.test || !typed.bench) {
                (true, _) => Mode::List,
                (false, true) => Mode::Test,
                (false, false) => Mode::Measure,
            },
            shuffle: match (typed.shuffle_seed, typed.shuffle) {
                (Some(seed), _) => Shuffle::By(seed),
                (None, true) => Shuffle::BySeed,
                (None, false) => Shuffle::Never,
            },
            files: Files::around(environment),
            github: Github::around(environment),
            stored: Stored::around(environment),
            color: color(typed.color.as_deref(), environment)?,
            surroundings: Surroundings {
                ci: environment.get("CI").is_some(),
                nextest: environment.get("NEXTEST").is_some(),
                test_threads: environment
                    .get("NEXTEST_TEST_THREADS")
                    .and_then(|threads| threads.parse().ok()),
            },
            warnings: if typed.logfile { vec![NO_LOGFILE.to_owned()] } else { Vec::new() },
            repeat: Given::repeat(&given, typed.ignored || typed.include_ignored),
            ..Self::default()
        };
        for given in &given {
            (given.setting.take)(&mut config, given).map_err(|expected| given.wrong(expected))?;
        }
        let is_format_typed = given.iter().any(|given| given.is_flag() && given.setting.name == "format");
        if typed.quiet && !is_format_typed {
            config.format = Format::Terse;
        }
        config.selection = Selection {
            filters: typed.filters,
            skip: typed.skip,
            exact: typed.exact,
            ignored: match (typed.include_ignored, typed.ignored) {
                (true, _) => Ignored::Included,
                (false, true) => Ignored::Only,
                (false, false) => Ignored::Skipped,
            },
        };
        Ok(config)
    }
}

const NO_LOGFILE: &str = "--logfile has no effect here: --json PATH writes the records to a file";

#[cfg(test)]
mod tests {
    use bench_diff_core::{ClockPolicy, JudgeKind};

    use super::*;
    use crate::settings::cli;
    use crate::settings::layouts::Layouts;
    use crate::settings::table::SETTINGS;

    fn config(line: &str, environment: &[(&str, &str)]) -> Result<Config, UsageError> {
        let typed = cli::parse(line.split_whitespace().map(Into::into)).unwrap();
        let environment = environment.iter().map(|&(name, value)| (name.into(), value.into()));
        Config::new(typed, &Environment::new(environment)?)
    }

    #[test]
    fn the_mode_follows_cargo() {
        let mode = |line| config(line, &[]).unwrap().mode;
        assert_eq!(mode("--bench"), Mode::Measure);
        assert_eq!(mode(""), Mode::Test);
        assert_eq!(mode("--test --bench"), Mode::Test);
        assert_eq!(mode("--list --test --bench"), Mode::List);
    }

    #[test]
    fn a_flag_goes_before_the_environment() {
        let both = config("--alpha 2%", &[("BENCH_DIFF_ALPHA", "3%")]).unwrap();
        assert_eq!(both.pairs.alpha, Some(0.02));
        let environment = config("", &[("BENCH_DIFF_ALPHA", "3%"), ("BENCH_DIFF_BETA", "")]).unwrap();
        assert_eq!(environment.pairs.alpha, Some(0.03));
        assert_eq!(environment.pairs.beta, None, "an empty variable is unset");
    }

    #[test]
    fn every_setting_has_a_meaning_and_a_twin() {
        let given = [
            ("judge", "welch"),
            ("max-slowdown", "5%"),
            ("min-speedup", "1.5"),
            ("max-difference", "10%"),
            ("alpha", "0.02"),
            ("beta", "0.1"),
            ("max-time", "3s"),
            ("layouts", "linked"),
            ("max-rounds", "60"),
            ("slots", "50"),
            ("clock", "cpu"),
            ("warmup", "10ms"),
            ("seed", "8f3a"),
            ("order", "fixed"),
            ("format", "json"),
        ];
        let mut flags = Vec::new();
        let mut twins = Vec::new();
        for (name, value) in given {
            let setting = SETTINGS.iter().find(|setting| setting.name == name).unwrap();
            flags.push(format!("--{name} {value}"));
            twins.push((setting.twin(), value));
        }
        let twins: Vec<(&str, &str)> = twins.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let from_flags = config(&flags.join(" "), &[]).unwrap();
        assert_eq!(from_flags, config("", &twins).unwrap());
        assert_eq!(
            from_flags.pairs,
            PairSettings {
                judge: Some(JudgeKind::Welch),
                max_slowdown: Some(0.05),
                alpha: Some(0.02),
                beta: Some(0.1),
                max_time: Some(Duration::from_secs(3)),
                layouts: Some(Layouts::Linked),
                max_rounds: Some(60),
                slots: Some(50),
                clock: Some(ClockPolicy::Cpu),
                warmup: Some(Duration::from_millis(10)),
                min_speedup: Some(1.5),
                max_difference: Some(0.1),
                report_only: None,
            }
        );
        assert_eq!(from_flags.seed, Some(Seed(0x8f3a)));
        assert_eq!((from_flags.order, from_flags.format), (OrderPolicy::Fixed, Format::Json));
    }

    #[test]
    fn switches_have_twins() {
        let on = config("--strict", &[("BENCH_DIFF_FAIL_FAST", "1"), ("BENCH_DIFF_CONTROL", "1")]).unwrap();
        assert!(on.strict && on.fail_fast && on.control);
        assert!(!config("", &[("BENCH_DIFF_STRICT", "0")]).unwrap().strict);
        let error = config("", &[("BENCH_DIFF_STRICT", "yes")]).unwrap_err().to_string();
        assert!(error.contains("'yes' for 'BENCH_DIFF_STRICT'"), "{error}");
    }

    #[test]
    fn a_time_limit_knows_what_set_it() {
        let source = |line, environment: &[_]| config(line, environment).unwrap().timeout.map(|it| it.source);
        assert_eq!(source("--timeout 5s", &[("BENCH_DIFF_TIMEOUT", "1s")]).as_deref(), Some("--timeout 5s"));
        assert_eq!(source("", &[("BENCH_DIFF_TIMEOUT", "1s")]).as_deref(), Some("BENCH_DIFF_TIMEOUT=1s"));
        assert_eq!(source("", &[]), None);
        assert!(config("--timeout 0s", &[]).is_err());
    }

    #[test]
    fn a_bad_value_names_what_held_it() {
        let flag = config("--alpha 7", &[]).unwrap_err().to_string();
        assert!(flag.contains("'7' for '--alpha': expected an error rate"), "{flag}");
        let variable = config("", &[("BENCH_DIFF_ALPHA", "7")]).unwrap_err().to_string();
        assert!(variable.contains("'7' for 'BENCH_DIFF_ALPHA'"), "{variable}");
        let judge = config("--judge bayes", &[]).unwrap_err().to_string();
        assert!(judge.contains("expected sequential or welch"), "{judge}");
    }

    #[test]
    fn quiet_is_terse_unless_a_format_is_given() {
        assert_eq!(config("-q", &[]).unwrap().format, Format::Terse);
        assert_eq!(config("-q --format json", &[]).unwrap().format, Format::Json);
        assert_eq!(
            config("-q", &[("BENCH_DIFF_FORMAT", "json")]).unwrap().format,
            Format::Terse,
            "a flag goes first"
        );
    }

    #[test]
    fn colours_follow_the_conventions() {
        let color = |line, environment: &[_]| config(line, environment).unwrap().color;
        assert_eq!(color("", &[]), Color::Auto);
        assert_eq!(color("--color always", &[("NO_COLOR", "1")]), Color::Always);
        assert_eq!(color("", &[("NO_COLOR", "1"), ("FORCE_COLOR", "1")]), Color::Never);
        assert_eq!(color("", &[("FORCE_COLOR", "1"), ("CLICOLOR", "0")]), Color::Always);
        assert_eq!(color("", &[("CLICOLOR_FORCE", "0"), ("CLICOLOR", "0")]), Color::Never);
        assert_eq!(color("", &[("CARGO_TERM_COLOR", "always")]), Color::Always);
        assert_eq!(color("", &[("CARGO_TERM_COLOR", "purple")]), Color::Auto);
        assert!(config("--color purple", &[]).is_err());
    }

    #[test]
    fn nextest_says_how_many_tests_it_runs() {
        let threads = |environment: &[_]| config("", environment).unwrap().surroundings.test_threads;
        assert_eq!(threads(&[("NEXTEST_TEST_THREADS", "8")]), Some(8));
        assert_eq!(threads(&[("NEXTEST_TEST_THREADS", "many")]), None);
        assert_eq!(threads(&[]), None);
    }

    #[test]
    fn a_repetition_needs_what_moves_a_verdict() {
        let repeat = |line| config(line, &[("BENCH_DIFF_ALPHA", "3%")]).unwrap().repeat;
        assert_eq!(repeat("--seed 1 --format json x"), ["--alpha", "3%"]);
        assert_eq!(repeat("--strict --ignored"), ["--alpha", "3%", "--strict", "--include-ignored"]);
    }
}
